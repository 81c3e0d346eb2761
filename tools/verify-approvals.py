#!/usr/bin/env python3
"""Recomputes the approvals in exports of a gateway, by the rules of docs/approvals.md.

    python3 tools/verify-approvals.py [--trust-first-policy] [--earlier FILE] FILE...

Needs Python 3.9 and the command openssl, and nothing else. With SECRET_KEY in the environment the gateway's own marks
are verified too. Exits with 0 if everything is proven, 1 if something is unproven or forged, 2 if something could not
be verified or the operator took the policy off; with several files, with the largest but for 1, which wins.
"""
import base64
import datetime
import functools
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

KINDS = {
    "withdrawal", "refund", "destination", "key", "connection", "member", "approver", "policy", "held-withdrawal",
    "unmatched-pix", "open-item", "payouts", "administrator", "recovery",
}
STATUSES = {"open", "approved", "done", "rejected", "cancelled", "expired"}
# The verdicts on rows that rest on no request.
WITHOUT_REQUEST = {"end": "NOTED", "reset": "RESET"}
NEW_STAFF = datetime.timedelta(days=30)


class Malformed(Exception):
    """What was read does not have the shape that it must have."""


# Reading values


def demand(condition):
    if not condition:
        raise Malformed


def number_of(text):
    # Numbers are those of JSON in JavaScript: 7 and 7.0 are the same.
    value = float(text)
    demand(value - value == 0)
    return int(value) if value.is_integer() else value


def refuse_constant(_name):
    raise Malformed


def parse_json(text):
    try:
        return json.loads(text, parse_int=number_of, parse_float=number_of, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise Malformed


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value, least):
    return is_number(value) and isinstance(value, int) and least <= value <= 2**53 - 1


def field(value, name, kind, may_be_null=False):
    demand(isinstance(value, dict) and name in value)
    found = value[name]
    if found is None:
        demand(may_be_null)
    elif kind is float:
        demand(is_number(found))
    else:
        demand(isinstance(found, kind))
    return found


def decode(text):
    """Base64url without padding, in the one way in which the bytes can be written."""
    demand(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text) and len(text) % 4 != 1)
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    demand(encode(content) == text)
    return content


def encode(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def moment(text):
    demand(isinstance(text, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text))
    try:
        return datetime.datetime.fromisoformat(text[:-1])
    except ValueError:
        raise Malformed


def sha256(content):
    return hashlib.sha256(content).digest()


def digest_of(text):
    # Half a pair of surrogates has no form in UTF-8; it becomes the replacement character.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return sha256(whole.encode())


# Documents


def read_document(text):
    """A document, or None."""
    try:
        document = parse_json(text)
        for name in ("format", "origin", "request", "kind"):
            field(document, name, str)
        demand(document["format"] == "jangada-approval/1" and document["kind"] in KINDS)
        field(document, "account", float)
        field(document, "order", dict)
        field(document, "maker", float, may_be_null=True)
        document["made_at_moment"] = moment(field(document, "made_at", str))
        document["expires_at_moment"] = moment(field(document, "expires_at", str))
        return document
    except Malformed:
        return None


def read_approver(order):
    user = field(order, "user", float)
    field(order, "name", str)
    field(order, "email", str)
    keys = {}
    for key in field(order, "keys", list):
        public_key = field(key, "public_key", str, may_be_null=True)
        if public_key is not None:
            decode(public_key)
        # Of two keys with one id the first counts.
        keys.setdefault(field(key, "id", str), public_key)
    staff = None
    if "staff" in order:
        found = field(order, "staff", dict)
        staff = (moment(field(found, "since", str)), field(found, "by", float))
    return {"user": user, "name": order["name"], "email": order["email"], "keys": keys, "staff": staff}


def read_policy(order):
    terms = {
        "enabled": field(order, "enabled", bool),
        "approvals": field(order, "approvals", float),
        "passkeys_only": field(order, "passkeys_only", bool),
        "approvers": None,
    }
    demand(is_whole(field(order, "from_cents", float), 0))
    demand(is_whole(terms["approvals"], 1) and is_whole(field(order, "expires_hours", float), 1))
    if "approvers" in order:
        terms["approvers"] = {}
        for approver in map(read_approver, field(order, "approvers", list)):
            terms["approvers"][approver["user"]] = approver
    return terms


def read_destination(order):
    field(order, "pix_key_type", str)
    limit = field(order, "day_limit_cents", float)
    demand(is_whole(limit, 0))
    return field(order, "pix_key", str), limit


# Proofs


def read_cbor(content, at):
    """One value of CBOR, as far as COSE keys need it, and where it ends."""
    demand(at < len(content))
    major, short = content[at] >> 5, content[at] & 31
    at += 1
    if short < 24:
        value = short
    else:
        demand(short < 28)
        size = 1 << (short - 24)
        demand(at + size <= len(content))
        value = int.from_bytes(content[at : at + size], "big")
        at += size
    if major == 0:
        return value, at
    if major == 1:
        return -1 - value, at
    if major in (2, 3):
        demand(at + value <= len(content))
        return content[at : at + value], at + value
    demand(major == 5 and value < 100)
    found = {}
    for _ in range(value):
        name, at = read_cbor(content, at)
        demand(not isinstance(name, dict))
        found[name], at = read_cbor(content, at)
    return found, at


def der(tag, content):
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 128 | len(length)]) + length + content


def spki(algorithm, key):
    return der(0x30, der(0x30, bytes.fromhex(algorithm)) + der(3, b"\0" + key))


def whole_number(content):
    return der(2, (b"\0" if content[:1] >= b"\x80" else b"") + content)


def openssl_key(cose):
    """A COSE key as openssl reads it, and the options by which it verifies."""
    key, _ = read_cbor(cose, 0)
    demand(isinstance(key, dict))
    kind = (key.get(1), key.get(3), key.get(-1))
    if kind[:2] == (3, -257):
        demand(isinstance(key.get(-1), bytes) and isinstance(key.get(-2), bytes))
        numbers = whole_number(key[-1].lstrip(b"\0")) + whole_number(key[-2].lstrip(b"\0"))
        return spki("06092a864886f70d0101010500", der(0x30, numbers)), False
    point = [key.get(-2), key.get(-3)]
    demand(isinstance(point[0], bytes) and len(point[0]) == 32)
    if kind == (1, -8, 6):
        return spki("06032b6570", point[0]), True
    demand(kind == (2, -7, 1) and isinstance(point[1], bytes) and len(point[1]) == 32)
    return spki("06072a8648ce3d020106082a8648ce3d030107", b"\x04" + point[0] + point[1]), False


@functools.lru_cache(maxsize=None)
def is_signed(cose, message, signature):
    try:
        key, is_raw = openssl_key(cose)
    except Malformed:
        return False
    with tempfile.TemporaryDirectory() as folder:
        def stored(name, content):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            return path

        files = [stored("key", key), stored("signature", signature), stored("message", message)]
        if is_raw:
            command = ["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin", "-inkey", files[0],
                       "-sigfile", files[1], "-in", files[2]]
        else:
            command = ["dgst", "-sha256", "-keyform", "DER", "-verify", files[0], "-signature", files[1], files[2]]
        return subprocess.run(["openssl", *command], capture_output=True).returncode == 0


def master_key(text):
    if re.fullmatch(r"[0-9A-Fa-f]{64}", text):
        return bytes.fromhex(text)
    return base64.b64decode(text)


def mark_key(master):
    # HKDF-SHA256 (RFC 5869), one block.
    extracted = hmac.new(bytes(32), master, hashlib.sha256).digest()
    return hmac.new(extracted, b"jangada/hash/approval\x01", hashlib.sha256).digest()


class Marks:
    """Which marks of the gateway are right: by its key, or as a case that is supposed."""

    def __init__(self, key, believes_first=False, believes_apps=False):
        self.key, self.believes_first, self.believes_apps = key, believes_first, believes_apps

    def _is_right(self, text, mark, is_believed):
        if self.key is None:
            return is_believed
        return mark == encode(hmac.new(self.key, text.encode("utf-8", "replace"), hashlib.sha256).digest())

    def is_first_policy(self, digest, mark):
        return mark is not None and self._is_right(f"first policy {digest.hex()}", mark, self.believes_first)

    def is_app(self, user, key, digest, mark):
        return self._is_right(f"totp {user} {key} {digest.hex()}", mark, self.believes_apps)


def is_valid(approval, public_key, document, digest, marks):
    try:
        proof = approval["proof"]
        if public_key is None:
            mark = field(proof, "mark", str)
            decode(mark)
            return marks.is_app(approval["user"], approval["key"], digest, mark)
        client_data = decode(field(proof, "client_data", str))
        authenticator_data = decode(field(proof, "authenticator_data", str))
        signature = decode(field(proof, "signature", str))
        try:
            said = parse_json(client_data.decode())
            host = urlsplit(document["origin"]).hostname or ""
        except ValueError:
            raise Malformed
        demand(isinstance(said, dict) and said.get("type") == "webauthn.get" and not said.get("topOrigin"))
        demand(said.get("challenge") == encode(digest) and said.get("origin") == document["origin"])
        demand(len(authenticator_data) >= 37 and authenticator_data[:32] == sha256(host.encode()))
        demand(authenticator_data[32] & 1)
        return is_signed(decode(public_key), authenticator_data + sha256(client_data), signature)
    except Malformed:
        return False


# The history


class State:
    def __init__(self, is_on=False, approvals=1, passkeys_only=False, approvers=None, ended=frozenset()):
        self.is_on, self.approvals, self.passkeys_only = is_on, approvals, passkeys_only
        self.approvers, self.ended = approvers or {}, ended

    def change(self, **values):
        return State(**{**self.__dict__, **values})


def groups_of(approvers, at):
    """For each person who counts as one with others, the set of them all."""
    groups = {}
    for user, approver in approvers.items():
        if approver["staff"] is None or at - approver["staff"][0] >= NEW_STAFF:
            continue
        group = groups.get(user, {user}) | groups.get(approver["staff"][1], {approver["staff"][1]})
        for member in group:
            groups[member] = group
    return groups


def needed(state, document):
    """How many approvals a document needs: one more if a key asked for it."""
    return state.approvals + (document["maker"] is None)


def counting(state, text, approvals, at, marks):
    """The people whose approvals of a document count."""
    document = read_document(text)
    if document is None:
        return []
    digest = digest_of(text)
    people = state.approvers
    if document["kind"] == "approver":
        try:
            newcomer = read_approver(document["order"])
            people = {**people, newcomer["user"]: newcomer}
        except Malformed:
            pass
    groups = groups_of(people, at)
    taken = set()
    if document["maker"] is not None:
        taken |= groups.get(document["maker"], {document["maker"]})
    counted = []
    for approval in approvals:
        user = approval["user"]
        keys = state.approvers.get(user, {"keys": {}})["keys"]
        if user in taken or approval["key"] not in keys:
            continue
        public_key = keys[approval["key"]]
        if state.passkeys_only and public_key is None:
            continue
        if is_valid(approval, public_key, document, digest, marks):
            counted.append(user)
            taken |= groups.get(user, {user})
    return counted


def without(state, entry):
    if entry["pix_key"] is not None:
        return state
    user, key = entry["user"], entry["key"]
    approvers = dict(state.approvers)
    ended = state.ended if key is None else state.ended | {key}
    if user in approvers:
        keys = {} if key is None else {name: value for name, value in approvers[user]["keys"].items() if name != key}
        approvers[user] = {**approvers[user], "keys": keys}
        if not keys:
            del approvers[user]
    return state.change(approvers=approvers, ended=ended)


def follow(state, entry, export, marks):
    """The state after a row, or None if the row is not followed."""
    if entry["kind"] == "end":
        return without(state, entry)
    if entry["kind"] == "reset":
        return State()
    request = export["by_id"].get(entry["request"])
    document = request and read_document(request["document"])
    if not document or document["account"] != export["account"]:
        return None
    if document["request"] != entry["request"] or document["kind"] != entry["kind"]:
        return None
    if moment(entry["at"]) >= document["expires_at_moment"]:
        return None
    order = document["order"]
    try:
        if not state.is_on:
            demand(document["kind"] == "policy")
            policy = read_policy(order)
            demand(policy["enabled"] and policy["approvers"] is not None)
            demand(marks.is_first_policy(digest_of(request["document"]), entry["mark"]))
            return State(True, policy["approvals"], policy["passkeys_only"], policy["approvers"])
        people = counting(state, request["document"], request["approvals"], moment(entry["at"]), marks)
        if len(people) < needed(state, document):
            return None
        if document["kind"] == "policy":
            policy = read_policy(order)
            if not policy["enabled"]:
                return State()
            return state.change(approvals=policy["approvals"], passkeys_only=policy["passkeys_only"])
        if document["kind"] == "approver":
            approver = read_approver(order)
            keys = {name: value for name, value in approver["keys"].items() if name not in state.ended}
            return state.change(approvers={**state.approvers, approver["user"]: {**approver, "keys": keys}})
        demand(document["kind"] == "destination")
        read_destination(order)
        return state
    except Malformed:
        return None


# The export


def read_export(text):
    export = parse_json(text)
    demand(field(export, "format", str) == "jangada-approvals/1")
    field(export, "account", float)
    for entry in field(export, "history", list):
        field(entry, "seq", float)
        field(entry, "kind", str)
        for name in ("request", "key", "pix_key", "mark"):
            field(entry, name, str, may_be_null=True)
        field(entry, "user", float, may_be_null=True)
        if entry["mark"] is not None:
            decode(entry["mark"])
        moment(field(entry, "at", str))
    export["by_id"] = {}
    for request in field(export, "requests", list):
        for name in ("id", "kind", "status", "document"):
            field(request, name, str)
        demand(request["status"] in STATUSES and request["id"] not in export["by_id"])
        export["by_id"][request["id"]] = request
        moment(field(request, "created_at", str))
        if field(request, "ended_at", str, may_be_null=True) is not None:
            moment(request["ended_at"])
        field(request, "history_seq", float, may_be_null=True)
        for approval in field(request, "approvals", list):
            field(approval, "user", float)
            field(approval, "key", str)
            moment(field(approval, "approved_at", str))
            demand("proof" in approval)
    return export


def is_forged(request, export, states, marks):
    document = read_document(request["document"])
    if document is None or document["account"] != export["account"]:
        return True
    for name, other in (("id", "request"), ("kind", "kind"), ("created_at", "made_at")):
        if request[name] != document[other]:
            return True
    digest = digest_of(request["document"])
    for approval in request["approvals"]:
        known = {
            state.approvers[approval["user"]]["keys"][approval["key"]]
            for state in states
            if approval["key"] in state.approvers.get(approval["user"], {"keys": {}})["keys"]
        }
        if known and not any(is_valid(approval, key, document, digest, marks) for key in known):
            return True
    return False


def recompute(export, marks):
    """For each row whether it is proven; for each request whether it is, whether it is forged, and who counts."""
    state = State()
    states, followed, used = [state], [], set()
    for entry in export["history"]:
        after = None
        if entry["request"] is None or entry["request"] not in used:
            after = follow(state, entry, export, marks)
        used.add(entry["request"])
        followed.append(after is not None)
        state = after or state
        states.append(state)
    rows = []
    for index, entry in enumerate(export["history"]):
        request = export["by_id"].get(entry["request"])
        is_in_place = entry["kind"] in WITHOUT_REQUEST or (
            request is not None and request["status"] == "done" and request["history_seq"] == index
        )
        rows.append(followed[index] and entry["seq"] == index + 1 and is_in_place)
    found = []
    for request in export["requests"]:
        row = next((at for at, entry in enumerate(export["history"]) if entry["request"] == request["id"]), None)
        place = request["history_seq"]
        under = states[place] if is_whole(place, 0) and place < len(states) else None
        document = read_document(request["document"])
        is_proven, people = False, []
        if under and document and request["ended_at"] is not None:
            at = moment(request["ended_at"])
            people = counting(under, request["document"], request["approvals"], at, marks)
            is_enough = len(people) >= needed(under, document) if under.is_on else row is not None
            is_proven = at < document["expires_at_moment"] and is_enough and (row is None or rows[row])
        found.append((is_proven, is_forged(request, export, states, marks), people))
    return rows, found


def judge(proofs):
    return "PROVEN" if all(proofs) else "NOT VERIFIABLE" if any(proofs) else "UNPROVEN"


def verify(export, key, trusts_first):
    """The verdict on each row and each request, with what it is about."""
    if key is not None:
        cases = [Marks(key)]
    else:
        # Without the master key a mark may be right or wrong: what holds is what holds in both cases.
        cases = [Marks(None, believes_first=trusts_first), Marks(None, believes_first=True, believes_apps=True)]
    results = [recompute(export, marks) for marks in cases]
    for index, entry in enumerate(export["history"]):
        verdict = judge([rows[index] for rows, _ in results])
        if verdict == "PROVEN":
            verdict = WITHOUT_REQUEST.get(entry["kind"], verdict)
        yield verdict, f"entry {index + 1}", entry["kind"]
    for index, request in enumerate(export["requests"]):
        findings = [found[index] for _, found in results]
        if all(forged for _, forged, _ in findings):
            verdict = "FORGED"
        elif request["status"] in ("open", "approved"):
            verdict = "WAITING"
        elif request["status"] != "done":
            verdict = "ENDED"
        else:
            verdict = judge([proven for proven, _, _ in findings])
        people = ", ".join(str(user) for user in findings[0][2])
        digest = digest_of(request["document"]).hex()
        yield verdict, f"request {request['id']}", f"{request['kind']} · SHA-256 {digest} · users: {people}"


def compare(export, earlier):
    """What stood in an earlier export and is missing or different now."""
    def is_same(before, now, names):
        return now is not None and all(before[name] == now[name] for name in names)

    changed = [] if export["account"] == earlier["account"] else ["account"]
    for index, entry in enumerate(earlier["history"]):
        now = export["history"][index] if index < len(export["history"]) else None
        if not is_same(entry, now, ("seq", "kind", "request", "user", "key", "pix_key", "mark", "at")):
            changed.append(f"entry {index + 1}")
    for request in earlier["requests"]:
        ended = () if request["status"] in ("open", "approved") else ("status", "ended_at", "history_seq")
        if not is_same(request, export["by_id"].get(request["id"]), ("kind", "document", "created_at", *ended)):
            changed.append(f"request {request['id']}")
    for item in changed:
        yield "CHANGED", item, "not as in the earlier export"


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return read_export(file.read())
    except (Malformed, OSError, ValueError):
        print(f"{path} is not an export of approvals")
        return None


def verify_file(path, key, trusts_first, earlier_path):
    export = load(path)
    earlier = export if earlier_path is None else load(earlier_path)
    if export is None or earlier is None:
        return 2
    verdicts = set()
    for verdict, item, detail in [*verify(export, key, trusts_first), *compare(export, earlier)]:
        verdicts.add(verdict)
        print(f"{verdict} · {item} · {detail}")
    return 1 if verdicts & {"UNPROVEN", "FORGED", "CHANGED"} else 2 if verdicts & {"NOT VERIFIABLE", "RESET"} else 0


def main(words):
    trusts_first = "--trust-first-policy" in words
    files = [word for word in words if word != "--trust-first-policy"]
    earlier = None
    if "--earlier" in files[:-1]:
        at = files.index("--earlier")
        _, earlier = files[at : at + 2]
        del files[at : at + 2]
    if not files or any(name.startswith("--") for name in files):
        print(__doc__)
        return 2
    secret = os.environ.get("SECRET_KEY", "")
    key = mark_key(master_key(secret)) if secret else None
    codes = []
    for path in files:
        if len(files) > 1:
            print(f"FILE {path}")
        codes.append(verify_file(path, key, trusts_first, earlier))
        if len(files) > 1:
            print(f"CODE {codes[-1]}")
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
