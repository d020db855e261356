"""A headless Chromium for the tests of web pages, spoken to by pipe in the DevTools protocol: no driver, no port, no package."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType
from typing import Any

MISSING = "chromium is missing; on Debian: apt-get install --no-install-recommends chromium"
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"),
    *("--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--force-color-profile=srgb", "--remote-debugging-pipe"),
)
_PATIENCE = 30.0  # seconds for one answer


class BrowserError(Exception):
    """What the browser answered instead of a result."""


class Browser:
    """One Chromium with one tab. Use as a context manager."""

    def __init__(self) -> None:
        program = self.program()
        if program is None:
            raise BrowserError(MISSING)
        self._folder = TemporaryDirectory(prefix="scidraft-chromium-", ignore_cleanup_errors=True)
        from_us, self._out = os.pipe()
        self._in, to_us = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4. Those may be in use here, so a shell moves ours there: bash, since
        # others know descriptors of one digit only.
        command = [program, *_OPTIONS, f"--user-data-dir={self._folder.name}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{from_us} 4>&{to_us}', "bash", *command],
            pass_fds=(from_us, to_us),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(from_us)
        os.close(to_us)
        self._last = 0
        self._session = ""
        self._unread = b""
        self.events: list[dict[str, Any]] = []
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self) -> None:
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(f"{domain}.enable")

    @staticmethod
    def program() -> str | None:
        """Where a Chromium is, if there is one."""
        return next(filter(None, map(shutil.which, _PROGRAMS)), None)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        self._session = ""
        with suppress(BrowserError, OSError):
            self.call("Browser.close")
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        self._folder.cleanup()

    def call(self, method: str, **parameters: Any) -> Any:
        """One command; raises BrowserError for what the browser refuses."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        for answer in self._messages():
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)
        raise BrowserError(f"{method}: the browser has ended")

    def await_event(self, method: str) -> None:
        """Wait until the event has come, now or since the last `open`."""
        if any(event["method"] == method for event in self.events):
            return
        for message in self._messages():
            if "method" in message:
                self.events.append(message)
                if message["method"] == method:
                    return

    def _messages(self) -> Iterator[dict[str, Any]]:
        end = monotonic() + _PATIENCE
        while True:
            while b"\0" in self._unread:
                message, self._unread = self._unread.split(b"\0", 1)
                yield json.loads(message)
            if not select([self._in], [], [], max(0.0, end - monotonic()))[0]:
                raise BrowserError(f"no answer within {_PATIENCE:g} seconds")
            data = os.read(self._in, 1 << 20)
            if not data:
                return
            self._unread += data

    # What the tests ask for

    def open(self, page: Path | str) -> None:
        """Load a page and wait until it stands, with its fonts. `events` are those since then."""
        self.events.clear()
        address = page.as_uri() if isinstance(page, Path) else page
        answer = self.call("Page.navigate", url=address)
        if "errorText" in answer:
            raise BrowserError(f"{address}: {answer['errorText']}")
        self.await_event("Page.loadEventFired")
        self.run("document.fonts.ready.then(() => null)")

    def window(self, width: int, height: int = 900) -> None:
        """The size of the window in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    @contextmanager
    def media(self, kind: str = "", **features: str) -> Iterator[None]:
        """A medium such as print, or what the reader prefers: media(prefers_color_scheme="dark")."""
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=kind, features=wanted)
        yield
        self.call("Emulation.setEmulatedMedia", media="", features=[])

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of an expression, or of a function called with the arguments; a promise is waited for."""
        code = f"({script})({','.join(map(json.dumps, arguments))})" if arguments else script
        answer = self.call(
            "Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True, userGesture=True, silent=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def press(self, key: str, *, commands: Sequence[str] = ()) -> None:
        """A key of the keyboard by its name, with what the browser's editor does at it."""
        code = {"Tab": 9, "Enter": 13}.get(key, 0)
        text = "\r" if key == "Enter" else ""
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            given: dict[str, Any] = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}
            self.call("Input.dispatchKeyEvent", **given, **({"commands": list(commands)} if kind != "keyUp" else {}))

    def click(self, x: float, y: float, *, to: tuple[float, float] | None = None) -> None:
        """A click, or a stroke with the button down as one selects text with."""
        end = to or (x, y)
        for kind, place in (("mousePressed", (x, y)), ("mouseMoved", end), ("mouseReleased", end)):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", buttons=1, clickCount=1)

    def accessible(self) -> list[dict[str, Any]]:
        """The accessibility tree: what is told to screen readers, without what they pass over."""
        nodes: list[dict[str, Any]] = self.call("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def screenshot(self) -> bytes:
        """The whole page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"])

    def printed(self) -> bytes:
        """The page as the browser prints it, as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", generateTaggedPDF=True)["data"])
