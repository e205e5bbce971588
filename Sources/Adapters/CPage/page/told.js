// Sentences of the bridge, which speaks English, in the language of the page. Each line has the code of a problem or the form of a sentence, in
// which … stands for anything, then German, Spanish and Chinese, or a key of the page's words. What is not here stays as it is.
import { language, t } from "./texts.js";

export const FORMS = `
The broker can't be listened to: {why} | Dem Broker lässt sich nicht zuhören: {why} | No se puede escuchar al bróker: {why} | 无法监听消息代理：{why}
Only those who see every device are told … | settings.needsAdmin
unknown host … | broker.error.broker-unknown
connection refused: …
no answer from …
cannot connect to …
the broker did not answer within … | broker.error.broker-unreachable
no secure connection to … the broker's certificate is not … | Das Zertifikat des Brokers kommt von keiner bekannten Stelle, ist abgelaufen oder gilt nicht für diesen Namen. | El certificado del bróker no es de una autoridad conocida, ha caducado o no es para este nombre. | 消息代理的证书不是由已知机构签发、已过期或不适用于此名称。
no secure connection to … the broker ended it at once: …
no secure connection to … does not speak TLS; … | Dort spricht wohl niemand TLS. Üblich ist dafür Port 8883. | Parece que allí nadie habla TLS. Lo usual es el puerto 8883. | 那里似乎不使用 TLS，TLS 通常使用端口 8883。
no secure connection to … | broker.error.broker-insecure
the broker at … it wants a user name and a password | Der Broker will Benutzer und Passwort. | El bróker quiere usuario y contraseña. | 消息代理需要用户名和密码。
the broker at … check name and password | broker.error.broker-login
the broker at … refused the connection: … | broker.error.broker-refused
… answers with something other than MQTT …
… closed the connection before it answered … | broker.error.broker-lost
another client took over the session: … | Ein anderer Client hat die Sitzung übernommen: Läuft noch eine Bridge mit dieser Client-ID? | Otro cliente tomó la sesión: ¿hay otro puente con este id? | 另一个客户端接管了会话：是否还有网桥使用同一 ID？
the broker at … fell silent
the broker at … disconnected us: …
the broker at … closed the connection: … | Der Broker hat die Verbindung beendet. | El bróker cerró la conexión. | 消息代理关闭了连接。
{place} outranks what is chosen … | {place} geht dem vor, was hier gewählt wird: Ändere es dort, und starte die Bridge neu. | {place} va antes que lo elegido aquí: cámbialo allí y reinicia el puente. | {place} 优先于此处的选择：请在那里修改并重启网桥。
the changed definitions can't be used; … | Geänderte Definitionen haben Fehler, die das Protokoll nennt; die bisherigen gelten weiter. | Las definiciones cambiadas tienen errores, que nombra el registro; siguen las anteriores. | 修改后的定义有错误（见日志），仍使用原来的定义。
the broker refused the subscription to {topic}: … | Der Broker erlaubt nicht, {topic} zu hören. | El bróker no deja escuchar {topic}. | 消息代理不允许订阅 {topic}。
the broker refused to publish {topic}: … | Der Broker erlaubt nicht, auf {topic} zu senden. | El bróker no deja publicar en {topic}. | 消息代理不允许在 {topic} 上发布。
'…' must be a length of time, … such as {time} | Das muss eine Dauer sein, zum Beispiel {time}. | Tiene que ser una duración, por ejemplo {time}. | 必须是时长，例如 {time}。
'…' must be at least {value}, and … | device.atLeast
'…' must be at most {value}, and … | device.atMost
There is a definition of the kind '{kind}': … | Die Art „{kind}“ gibt es schon. Gib dieser eine andere. | El tipo «{kind}» ya existe. Da otro a este. | 类型“{kind}”已存在，请换一个。
'…' can't be the name of a file: … | Nimm Buchstaben, Ziffern und Bindestriche. | Usa letras, cifras y guiones. | 请用字母、数字和连字符。
The text is of the kind '{one}', the file … | Im Text steht die Art „{one}“. | En el texto pone el tipo «{one}». | 文本中的类型是“{one}”。
{path} is not what the bridge runs: … | {path} wird gerade bearbeitet und bleibt, wie es ist. | Alguien edita {path}, que queda como está. | {path} 正被他人编辑，保持原样。
This is not a recording: … | Das ist keine Aufzeichnung. | No es una grabación. | 这不是录制文件。
nobody may send '{event}' … | „{event}“ nimmt dieses Gerät nicht an. | Este dispositivo no acepta «{event}». | 此设备不接受“{event}”。
guard holds, waits {time} | Bedingung gilt, wartet {time} | se cumple la condición, espera {time} | 条件成立，等待 {time}
no signal changed | kein Signal ist anders | ninguna señal cambió | 信号未变
no guard holds | keine Bedingung gilt | no se cumple ninguna condición | 没有条件成立
… the content is unchanged within its tolerance | der Inhalt ändert sich zu wenig | el contenido cambia demasiado poco | 内容变化太小
neither guards nor the content read …
no guard reads what changed | nichts liest, was anders ist | nada lee lo que cambió | 没有内容读取变化的部分
Live Activities are switched off for the app: … | Live-Aktivitäten der App sind ausgeschaltet: Schalte sie in den Einstellungen des iPhones ein. | Las actividades en directo de la app están desactivadas: actívalas en los ajustes del iPhone. | 应用的实时活动已关闭：请在 iPhone 的设置中打开。
the app has reported no push-to-start token for … | Ein Token der App fehlt noch: Öffne sie, wo sie die Bridge erreicht. | Aún falta un token de la app: ábrela donde alcance el puente. | 还缺少应用的令牌：请在能连接网桥的地方打开它。
the push-to-start token … open the app, …
… the token has expired (410) | Ein Token ist abgelaufen: Öffne die App. | Un token ha caducado: abre la app. | 令牌已过期：请打开应用。
A test on this phone has not ended yet: … | Der letzte Test läuft noch: Er dauert eine Minute. | La última prueba sigue en curso: dura un minuto. | 上次测试尚未结束：需要一分钟。
The bridge has no key for Apple's service: … | Der Bridge fehlt der Schlüssel für Apples Dienst: push.apns.key. | Al puente le falta la clave del servicio de Apple: push.apns.key. | 网桥缺少 Apple 服务的密钥：push.apns.key。
… APNs has trouble: … | Apples Dienst hat Schwierigkeiten. | El servicio de Apple tiene problemas. | Apple 的服务出现问题。
its user removed it: … | am Telefon entfernt, bis zum nächsten Lauf | quitada en el teléfono, hasta la próxima vez | 已在手机上移除，直到下次运行
its user chose not to see … | am Telefon ausgeblendet | oculta en el teléfono | 已在手机上隐藏
it has ended on the phone | am Telefon beendet | terminada en el teléfono | 已在手机上结束
revision … looks the same | sieht aus wie zuvor | se ve como antes | 看起来没有变化
waits for the update token, …
the update token is overdue: … | wartet, bis jemand am Telefon „Erlauben“ antippt | espera a que alguien toque «Permitir» en el teléfono | 等待有人在手机上点按“允许”
the phone already shows {count} activities, … | das Telefon zeigt schon {count} | el teléfono ya muestra {count} | 手机上已有 {count} 个
a value is not known yet | ein Wert ist noch unbekannt | aún falta un valor | 尚有未知的值
busy
no-answer
too-many-requests
partition-missing | Die Bridge ist gerade beschäftigt. Versuche es gleich noch einmal. | El puente está ocupado. Prueba otra vez enseguida. | 网桥正忙，请稍后再试。
not-stored
not-written | Das ließ sich nicht speichern. Nichts wurde geändert. | No se pudo guardar. No ha cambiado nada. | 无法保存，未作任何更改。
no-device
no-activity | device.unknown
unauthorized
not-allowed | Das darf nicht jeder: Melde dich mit einem passenden Code an. | No todos pueden hacerlo: entra con otro código. | 并非人人可以这样做：请用合适的代码登录。
unknown-host | Diesen Namen kennt die Bridge nicht als ihren: Er fehlt in http.hosts. | El puente no conoce este nombre como suyo: falta en http.hosts. | 网桥不认识此名称：请加入 http.hosts。
standby | Dieses Gateway wartet: Die Geräte hat ein anderes. | Esta pasarela espera: otra tiene los dispositivos. | 此网关待命中：设备由另一个网关负责。
name-in-file
setting-in-file | device.inFile
wrong-name | Der Name ist zu lang. | El nombre es demasiado largo. | 名称太长。
name-without-settings | Mit „/“, „+“ oder „#“ im Topic kann ein Gerät keinen anderen Namen und keine Einstellungen haben. | Con «/», «+» o «#» en su tema, un dispositivo no puede tener otro nombre ni ajustes. | 主题含“/”“+”“#”的设备不能有其他名称和设置。
no-place-for-settings
no-place-for-broker | Diese Bridge hat keine Datenbank, neben der sie das aufbewahren könnte. | Este puente no tiene base de datos junto a la que guardarlo. | 此网桥没有数据库来保存这些内容。
no-place-for-definitions | Dafür fehlt ein Ordner, in den die Seite schreiben darf: „definitions: [auto, ORDNER]“. | Falta una carpeta en la que escribir: «definitions: [auto, CARPETA]». | 缺少可写入的文件夹：definitions: [auto, 文件夹]。
definitions-with-errors | Andere Definitionen hätten dann Fehler: Das Protokoll nennt sie. | Otras definiciones tendrían errores, que nombra el registro. | 其他定义会因此出错（见日志）。
definition-has-errors | Die Definition hat Fehler: Sie stehen beim Text. | La definición tiene errores: están junto al texto. | 定义有错误，见文本旁的说明。
nothing-heard | Auf solchen Topics war zuletzt nichts zu hören. Warte auf eine Nachricht. | No se oyó nada en esos temas. Espera un mensaje. | 最近没有收到此类主题的消息，请等待一条消息。
`.trim().split("\n").map((line) => {
  const [form, ...words] = line.split(" | "), expression = form.replace(/[.*+?^$()[\]\\]/g, "\\$&").replace(/ ?… ?/g, ".*").replace(/\{(\w+)\}/g, "(?<$1>.+?)");
  return { form, words, expression: new RegExp(`^${expression}\\.?$`, "is") };
});

/** What the bridge says, in the language of the page as far as it is known; `code` is that of a problem. */
export function told(text, code = null) {
  const place = ["de", "es", "zh"].indexOf(language());
  if (place < 0 || !text) return text;
  const index = FORMS.findIndex(({ form, expression }) => form === code || expression.test(text));
  if (index < 0) return text;
  const values = Object.fromEntries(Object.entries(FORMS[index].expression.exec(text)?.groups ?? {}).map(([name, value]) => [name, told(value)]));
  // A form without words has those of the next one that has some.
  const { words } = FORMS.find((one, at) => at >= index && one.words.length), key = words[place] ?? words[0], said = t(key, values);
  return said === key && words.length < 3 ? text : said;
}
