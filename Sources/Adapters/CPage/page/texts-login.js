// The words about signing in.
import { addLines } from "./texts.js";

addLines(`
login.title | Who is there? | Wer ist da? | ¿Quién es? | 请问是谁？
login.why | From beyond the gateway, Skerry shows nothing until you sign in. | Außerhalb des Gateways zeigt Skerry nichts, bis du dich anmeldest. | Desde fuera de la pasarela, Skerry no muestra nada hasta que entres. | 从网关以外访问时，登录之前 Skerry 不显示任何内容。
login.code | Code | Code | Código | 代码
login.where | An administrator’s browser shows a code under Settings, Browsers. On the gateway, this command shows one: | Der Browser eines Administrators zeigt unter Einstellungen, Browser einen Code. Auf dem Gateway zeigt ihn dieser Befehl: | El navegador de un administrador muestra un código en Ajustes, Navegadores. En la pasarela lo muestra esta orden: | 管理员的浏览器在“设置”的“浏览器”下显示代码。在网关上，用这个命令显示：
login.dialogWhy | Signing in applies to the whole page at once and lasts until you sign out. | Die Anmeldung gilt sofort für die ganze Seite, bis du dich abmeldest. | Vale enseguida para todas las partes de esta página, hasta que salgas. | 登录立即对此页面的所有部分生效，直到你退出登录。
login.needed | This is for an administrator. | Das ist Sache eines Administrators. | Esto es cosa de un administrador. | 这需要管理员。
login.haveToken | I have a token | Ich habe ein Token | Tengo un token | 我有令牌
login.token | Token | Token | Token | 令牌
login.nothing | Enter the code. | Gib den Code ein. | Escribe el código. | 请输入代码。
login.wrongCode | The bridge does not know this code, or not any more. | Die Bridge kennt diesen Code nicht, oder nicht mehr. | El puente no conoce este código, o ya no. | 网桥不认识这个代码，或代码已失效。
login.wrong | The bridge does not know this token. | Die Bridge kennt dieses Token nicht. | El puente no conoce este token. | 网桥不认识这个令牌。
login.wait | Too many attempts. Wait a few minutes, or have a new code made. | Zu viele Versuche. Warte einige Minuten, oder lass einen neuen Code erstellen. | Demasiados intentos. Espera unos minutos o pide un código nuevo. | 尝试次数过多。请等几分钟，或让管理员生成新代码。
login.tooLittle | You are signed in now, but not as an administrator. Enter another code. | Du bist jetzt angemeldet, aber nicht als Administrator. Gib einen anderen Code ein. | Ya has entrado, pero no como administrador. Escribe otro código. | 你已登录，但不是管理员。请输入另一个代码。
`);
