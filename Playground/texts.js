// The words of the playground: a line for each, in English, German, Spanish and Chinese. Some stand in place of the page's own.
import { addLines } from "./page/texts.js";
import "./page/texts-views.js";

const words = `
replay.title | Playground | Spielwiese | Zona de pruebas | 试验场
replay.dropHelp | A file of messages, as skerry record or mosquitto_sub -F '%j' writes it. It stays in this browser. | Eine Datei mit Nachrichten, wie skerry record oder mosquitto_sub -F '%j' sie schreibt. Sie bleibt in diesem Browser. | Un archivo de mensajes, como lo escribe skerry record o mosquitto_sub -F '%j'. No sale de este navegador. | skerry record 或 mosquitto_sub -F '%j' 生成的消息文件。文件不会离开此浏览器。
replay.truncated | There is too much to show: only the first part is here. | Es ist zu viel, um alles zu zeigen: hier ist nur der erste Teil. | Hay demasiado que mostrar: aquí solo está la primera parte. | 内容过多，仅显示第一部分。
playground.example | Or one of ours | Oder eine von uns | O una de las nuestras | 或者使用我们的录制
playground.exampleHelp | Short recordings that come with the playground. | Kurze Aufzeichnungen, die dabei sind. | Grabaciones breves incluidas. | 试验场自带的简短录制。
playground.lead | Skerry turns the messages of your devices into a countdown on your phone: here it runs in your browser, on a recording. | Skerry macht aus den Nachrichten deiner Geräte einen Countdown auf deinem Telefon: Hier läuft es im Browser, mit einer Aufzeichnung. | Skerry convierte los mensajes de tus dispositivos en una cuenta atrás en tu teléfono: aquí funciona en tu navegador, con una grabación. | Skerry 把设备的消息变成手机上的倒计时：在这里，它在你的浏览器中用录制运行。
playground.washer | A washing machine does its work | Eine Waschmaschine wäscht | Una lavadora lava la ropa | 洗衣机洗衣服
playground.printer | A 3D printer prints twice | Ein 3D-Drucker druckt zweimal | Una impresora 3D imprime dos veces | 3D 打印机打印两次
playground.lawn | A sprinkler waters the lawn | Ein Rasensprenger läuft | Un aspersor riega el césped | 喷灌器浇草坪
playground.robot | A robot vacuum cleans a flat | Ein Saugroboter putzt die Wohnung | Un robot aspirador limpia el piso | 扫地机器人打扫房间
playground.definition | Definition | Definition | Definición | 定义
playground.all | All of Skerry: the device is found | Alle von Skerry: das Gerät wird gefunden | Todas las de Skerry: se encuentra el dispositivo | Skerry 的全部定义：自动识别设备
playground.own | Yours: {name} | Ihre: {name} | La tuya: {name} | 您的：{name}
playground.ownHelp | A definition of your own: drop its .skd file, made by skerry compile, and for the drawings its .json file, made by skerry describe --json. | Eine eigene Definition: ihre .skd-Datei von skerry compile ablegen, und für die Zeichnungen ihre .json-Datei von skerry describe --json. | Una definición propia: suelta su archivo .skd, hecho con skerry compile, y para los dibujos su archivo .json, hecho con skerry describe --json. | 自己的定义：拖放由 skerry compile 生成的 .skd 文件；如需图示，再拖放由 skerry describe --json 生成的 .json 文件。
playground.ownRead | {name} was read. Now drop a recording. | {name} wurde gelesen. Jetzt eine Aufzeichnung ablegen. | Se ha leído {name}. Ahora suelta una grabación. | 已读取 {name}。请拖放录制文件。
playground.firstDefinition | Drop the .skd file first. | Zuerst die .skd-Datei ablegen. | Suelta primero el archivo .skd. | 请先拖放 .skd 文件。
playground.refused | {count} lines are no messages. | {count} Zeilen sind keine Nachrichten. | {count} líneas no son mensajes. | 有{count}行不是消息。
playground.refused.one | One line is no message. | Eine Zeile ist keine Nachricht. | Una línea no es un mensaje.
playground.tooSlow | This took longer than {count} seconds and was stopped. | Das dauerte länger als {count} Sekunden und wurde abgebrochen. | Esto tardó más de {count} segundos y se detuvo. | 运行超过{count}秒，已停止。
playground.published | What is published | Was veröffentlicht wird | Qué se publica | 发布的内容
playground.sum | {count} messages with {bytes} bytes; {diffs} of them are diffs with {diffBytes} bytes | {count} Nachrichten mit {bytes} Bytes, davon {diffs} Diffs mit {diffBytes} Bytes | {count} mensajes con {bytes} bytes; {diffs} son diffs con {diffBytes} bytes | 共{count}条消息，{bytes}字节；其中{diffs}条差异，{diffBytes}字节
playground.time | Time | Zeit | Hora | 时间
playground.topic | Topic | Topic | Tema | 主题
playground.bytes | Bytes | Bytes | Bytes | 字节
playground.payload | Payload | Inhalt | Contenido | 内容
playground.share | Share by link | Per Link teilen | Compartir con un enlace | 通过链接分享
playground.shareHelp | The link holds the definition and the recording. Anyone who opens it can see the messages. | Der Link enthält die Definition und die Aufzeichnung. Wer ihn öffnet, sieht die Nachrichten. | El enlace contiene la definición y la grabación. Quien lo abra verá los mensajes. | 链接包含定义和录制内容。打开链接的人可以看到这些消息。
playground.shared | The link is in the address bar: {count} characters. | Der Link steht in der Adresszeile: {count} Zeichen. | El enlace está en la barra de direcciones: {count} caracteres. | 链接已在地址栏中：{count}个字符。
playground.copied | The link is in the address bar and on the clipboard: {count} characters. | Der Link steht in der Adresszeile und in der Zwischenablage: {count} Zeichen. | El enlace está en la barra de direcciones y en el portapapeles: {count} caracteres. | 链接已在地址栏和剪贴板中：{count}个字符。
playground.tooLong | This recording is too long for a link. Take the part that matters. | Diese Aufzeichnung ist zu lang für einen Link. Nehmen Sie den Teil, auf den es ankommt. | Esta grabación es demasiado larga para un enlace. Toma la parte que importa. | 此录制太长，无法放入链接。请截取关键部分。
playground.badLink | This link is damaged or was cut short. | Dieser Link ist beschädigt oder abgeschnitten. | Este enlace está dañado o cortado. | 此链接已损坏或被截断。
playground.missing | A file of the playground is missing: {name} | Eine Datei der Spielwiese fehlt: {name} | Falta un archivo de la zona de pruebas: {name} | 试验场缺少文件：{name}
`;

addLines(words);
