"""A headless Chromium, driven over two pipes by the Chrome DevTools Protocol."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """Returns the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """A browser with one page at a time. Its errors are in `complaints`, the addresses it fetched in `fetched`."""

    def __init__(self, program):
        # The browser's children may still write there when it has ended.
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        their_input, self.output = os.pipe()
        self.input, their_output = os.pipe()

        def pipes():  # the browser reads descriptor 3 and writes 4
            spare = [os.dup(end) for end in (their_input, their_output)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=pipes)
        os.close(their_input)
        os.close(their_output)
        self.rest, self.number, self.session = b"", 0, None
        self.complaints, self.fetched, self.loaded = [], [], False
        page = next(target for target in self.ask("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def close(self):
        """Asks the browser to end, so that its children end with it, and kills it if it does not."""
        try:
            self.session = None
            self.ask("Browser.close")
            self.process.wait(20)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.profile.cleanup()

    def ask(self, method, **parameters):
        """Returns the answer to a command; keeps the events that arrive meanwhile."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def hear(self, seconds=60):
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], max(end - time.monotonic(), 0))[0]:
                raise RuntimeError("the browser is silent")
            part = os.read(self.input, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        told = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self.loaded = True
            case "Network.requestWillBeSent":
                self.fetched.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(told["exceptionDetails"]["text"])
            case "Runtime.consoleAPICalled" if told["type"] in ("error", "warning"):
                self.complaints.append(str(told["args"]))
            case "Log.entryAdded" if told["entry"]["level"] in ("error", "warning"):
                self.complaints.append(told["entry"]["text"])
        return message

    def open(self, url, width=1280, height=900, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.complaints, self.fetched, self.loaded = [], [], False
        self.ask("Page.navigate", url=url)
        while not self.loaded:
            self.hear()
        self.value("Promise.all([...document.images].map(image => image.decode().catch(() => 0)))")

    def value(self, expression):
        """Returns the value of a JavaScript expression on the page."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def screenshot(self, whole=True):
        """Returns a picture of the page as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"])
