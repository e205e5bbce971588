"""The push service of Home Assistant's app with one phone behind it."""

import datetime
import http.server
import json
import threading

from home_assistant import Bell


class Phone:
    """Takes pushes on a port of its own, and keeps them in the order in which they came."""

    def __init__(self):
        self.pushes = []
        # Statuses that are answered in place of 201, one for each push that comes.
        self.refusals = []
        # Rung by each push, when it was answered.
        self.bell = Bell()
        phone = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = phone.refusals.pop(0) if phone.refusals else 201
                if status == 201:
                    phone.pushes.append(body)
                answer = json.dumps(phone.answer(status, body)).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
                phone.bell.ring()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/push"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, status, body):
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        limits = {
            "successful": len(self.pushes),
            "errors": 0,
            "maximum": 500,
            "resetsAt": tomorrow.replace(hour=0, minute=0, second=0, microsecond=0).isoformat(),
        }
        if status == 201:
            return {"messageId": str(len(self.pushes)), "target": body["push_token"], "rateLimits": limits}
        message = "The given target has reached the maximum number of notifications allowed per day"
        return {"errorType": "RateLimited", "message": message, "target": body["push_token"], "rateLimits": limits}

    def of(self, device):
        """The notifications about a device: their title, message and data."""
        start = device.replace("/", "_") + "_"
        return [push for push in self.pushes if push.get("data", {}).get("tag", "").startswith(start)]
