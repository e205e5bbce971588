// The words about signing in.
import { addTexts } from "./texts.js";

addTexts({
  en: {
    "login.title": "Who is there?", "login.why": "From beyond the gateway, Skerry shows nothing until you sign in.", "login.enter": "Sign in", "login.cancel": "Cancel",
    "login.code": "Code", "login.where": "An administrator’s browser shows a code under Settings, Browsers. On the gateway, this command shows one:",
    "login.dialogWhy": "Signing in applies to the whole page at once and lasts until you sign out.", "login.needed": "This is for an administrator.",
    "login.haveToken": "I have a token", "login.token": "Token", "login.nothing": "Enter the code.", "login.wrongCode": "The bridge does not know this code, or not any more.", "login.wrong": "The bridge does not know this token.",
    "login.wait": "Too many attempts. Wait a few minutes, or have a new code made.", "login.tooLittle": "You are signed in now, but not as an administrator. Enter another code.",
  },
  de: {
    "login.title": "Wer ist da?", "login.why": "Außerhalb des Gateways zeigt Skerry nichts, bis du dich anmeldest.", "login.enter": "Anmelden", "login.cancel": "Abbrechen",
    "login.code": "Code", "login.where": "Der Browser eines Administrators zeigt unter Einstellungen, Browser einen Code. Auf dem Gateway zeigt ihn dieser Befehl:",
    "login.dialogWhy": "Die Anmeldung gilt sofort für die ganze Seite, bis du dich abmeldest.", "login.needed": "Das ist Sache eines Administrators.",
    "login.haveToken": "Ich habe ein Token", "login.token": "Token", "login.nothing": "Gib den Code ein.", "login.wrongCode": "Die Bridge kennt diesen Code nicht, oder nicht mehr.", "login.wrong": "Die Bridge kennt dieses Token nicht.",
    "login.wait": "Zu viele Versuche. Warte einige Minuten, oder lass einen neuen Code erstellen.", "login.tooLittle": "Du bist jetzt angemeldet, aber nicht als Administrator. Gib einen anderen Code ein.",
  },
  es: {
    "login.title": "¿Quién es?", "login.why": "Desde fuera de la pasarela, Skerry no muestra nada hasta que entres.", "login.enter": "Entrar", "login.cancel": "Cancelar",
    "login.code": "Código", "login.where": "El navegador de un administrador muestra un código en Ajustes, Navegadores. En la pasarela lo muestra esta orden:",
    "login.dialogWhy": "Vale enseguida para todas las partes de esta página, hasta que salgas.", "login.needed": "Esto es cosa de un administrador.",
    "login.haveToken": "Tengo un token", "login.token": "Token", "login.nothing": "Escribe el código.", "login.wrongCode": "El puente no conoce este código, o ya no.", "login.wrong": "El puente no conoce este token.",
    "login.wait": "Demasiados intentos. Espera unos minutos o pide un código nuevo.", "login.tooLittle": "Ya has entrado, pero no como administrador. Escribe otro código.",
  },
  zh: {
    "login.title": "请问是谁？", "login.why": "从网关以外访问时，登录之前 Skerry 不显示任何内容。", "login.enter": "登录", "login.cancel": "取消",
    "login.code": "代码", "login.where": "管理员的浏览器在“设置”的“浏览器”下显示代码。在网关上，用这个命令显示：",
    "login.dialogWhy": "登录立即对此页面的所有部分生效，直到你退出登录。", "login.needed": "这需要管理员。",
    "login.haveToken": "我有令牌", "login.token": "令牌", "login.nothing": "请输入代码。", "login.wrongCode": "网桥不认识这个代码，或代码已失效。", "login.wrong": "网桥不认识这个令牌。",
    "login.wait": "尝试次数过多。请等几分钟，或让管理员生成新代码。", "login.tooLittle": "你已登录，但不是管理员。请输入另一个代码。",
  },
});
