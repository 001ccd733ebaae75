"""Renders the issuer's sign-in form and error page, without script, in three languages."""

from collections.abc import Iterable
from html import escape
from typing import Final
from zoneinfo import available_timezones

from local.oidc.requests import Parameters

LOCALES: Final = {"zh-CN": "简体中文", "zh-TW": "繁體中文", "en": "English"}

_WORDS: Final = {
    "zh-CN": {
        "title": "登录",
        "lead": "这是本机的登录页，任何名字都可以。",
        "name": "你是谁",
        "locale": "语言",
        "zoneinfo": "时区",
        "submit": "继续",
        "invalid": "请填写名字，最多 128 个字符，并选择有效的时区。",
        "refused": "无法登录",
    },
    "zh-TW": {
        "title": "登入",
        "lead": "這是本機的登入頁，任何名字都可以。",
        "name": "你是誰",
        "locale": "語言",
        "zoneinfo": "時區",
        "submit": "繼續",
        "invalid": "請填寫名字，最多 128 個字元，並選擇有效的時區。",
        "refused": "無法登入",
    },
    "en": {
        "title": "Sign in",
        "lead": "This is your machine’s own sign-in: any name will do.",
        "name": "Who are you?",
        "locale": "Language",
        "zoneinfo": "Time zone",
        "submit": "Continue",
        "invalid": "Enter a name of at most 128 characters and a valid time zone.",
        "refused": "Sign-in is not possible",
    },
}

STYLE: Final = """
:root{color-scheme:light dark;--paper:#f6f1e7;--card:#fffdf8;--ink:#1f1b16;--soft:#6b6258;--rule:#d9cfbf;--seal:#a3281f}
@media(prefers-color-scheme:dark){
:root{--paper:#171412;--card:#211d1a;--ink:#efe7da;--soft:#b3a797;--rule:#4a4238;--seal:#ff9a8b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);padding:1.25rem;
font:1.0625rem/1.6 ui-serif,Georgia,"Noto Serif CJK SC","Songti SC",serif}
main{width:min(26rem,100%);background:var(--card);border:1px solid var(--rule);border-radius:1rem;padding:2rem}
h1{font-size:1.6rem;margin:0 0 .25rem;font-weight:600;letter-spacing:.01em}
p{margin:0 0 1.5rem;color:var(--soft)}p.error{color:var(--seal)}
label{display:block;margin:1rem 0 .3rem;font-size:.9375rem;color:var(--soft)}
input,select{width:100%;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);
border-radius:.5rem;padding:.6rem .75rem;min-height:2.75rem}
button{margin-top:1.75rem;width:100%;min-height:2.9rem;border:0;border-radius:.5rem;background:var(--ink);
color:var(--card);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--seal);outline-offset:2px}
""".strip()


def headers(*origins: str) -> dict[str, str]:
    """Return a page's headers; browsers apply `form-action` also to where a form redirects, one of these origins."""
    form_action = " ".join(["'self'", *origins])
    return {
        "Cache-Control": "no-store",
        "Content-Security-Policy": f"default-src 'none'; style-src 'self'; img-src data:; form-action {form_action}; "
        "base-uri 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def locale_of(*wanted: str) -> str:
    """Return the first available locale, by language and script or region; else English."""
    for tag in wanted:
        parts = tag.replace("_", "-").lower().split("-")
        if parts[0] == "zh":
            return "zh-TW" if {"tw", "hk", "mo", "hant"} & set(parts) else "zh-CN"
        if parts[0] == "en":
            return "en"
    return "en"


def form(
    parameters: Parameters, style: str, *, locale: str, zoneinfo: str, name: str = "", is_invalid: bool = False
) -> str:
    """Render the sign-in form, which repeats the request's parameters."""
    words = _WORDS[locale]
    hidden = "".join(f'<input type="hidden" name="{escape(key)}" value="{escape(value)}">' for key, value in parameters)
    error = f'<p class="error" role="alert">{words["invalid"]}</p>' if is_invalid else ""
    zones = "".join(f"<option>{zone}</option>" for zone in sorted(available_timezones()))
    body = (
        f'<h1>{words["title"]}</h1><p>{words["lead"]}</p>{error}<form method="post">{hidden}'
        f'<label for="name">{words["name"]}</label>'
        '<input id="name" name="as_name" required maxlength="128" autocomplete="username" autofocus '
        f'value="{escape(name)}">'
        f'<label for="locale">{words["locale"]}</label>'
        f'<select id="locale" name="as_locale">{"".join(_options(LOCALES.items(), locale))}</select>'
        f'<label for="zoneinfo">{words["zoneinfo"]}</label>'
        f'<input id="zoneinfo" name="as_zoneinfo" list="zones" required maxlength="64" value="{escape(zoneinfo)}">'
        f'<datalist id="zones">{zones}</datalist>'
        f"<button>{words['submit']}</button></form>"
    )
    return _page(words["title"], body, style, locale)


def refused(why: str, style: str, locale: str) -> str:
    """Render the error page for requests without a trusted redirect URI."""
    title = _WORDS[locale]["refused"]
    return _page(title, f'<h1>{title}</h1><p class="error">{escape(why)}</p>', style, locale)


def _options(choices: Iterable[tuple[str, str]], chosen: str) -> Iterable[str]:
    for value, label in choices:
        yield f'<option value="{value}"{" selected" if value == chosen else ""}>{label}</option>'


def _page(title: str, body: str, style: str, locale: str) -> str:
    return (
        f'<!doctype html><html lang="{locale}"><head><meta charset="utf-8"><title>{title} · Yarrow</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="{style}"></head><body><main>{body}</main></body></html>'
    )
