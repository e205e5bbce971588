// The words about devices that were found.
import { addLines } from "./texts.js";

addLines(`
found.title | Add a device | Gerät hinzufügen | Añadir un dispositivo | 添加设备
found.why | Skerry listens to everything on your broker while this is open. Nothing is shown for a device before you use it. | Solange dieser Bereich offen ist, hört Skerry alles auf deinem Broker. Gezeigt wird nichts von einem Gerät, bevor du es nutzt. | Mientras esto está abierto, Skerry escucha todo lo que pasa por tu bróker. No se muestra nada de un dispositivo antes de que lo uses. | 打开此处时，Skerry 会监听消息代理上的一切。在你使用某台设备之前，不会显示它的任何内容。
found.preparing | Getting ready to listen… | Macht sich bereit zuzuhören … | Preparándose para escuchar… | 正在准备倾听……
found.listening | Listening for more… | Hört weiter zu… | Sigue escuchando… | 继续倾听……
found.nothingYet | Listening. A known device without a card is listed here when it speaks: switch it on. | Hört zu. Ein bekanntes Gerät ohne Karte steht hier, sobald es sich meldet: Schalte es ein. | Escuchando. Un dispositivo conocido sin tarjeta aparece aquí cuando habla: enciéndelo. | 正在倾听。已知但没有卡片的设备一发来消息就会列在这里：启动它吧。
found.awaited | In use, and waiting for the next message: {names}. A card comes with it. | Genutzt, wartet auf die nächste Nachricht: {names}. Mit ihr kommt eine Karte. | En uso, a la espera del próximo mensaje: {names}. Con él aparece una tarjeta. | 已启用，正在等待下一条消息：{names}。届时会出现卡片。
found.silent | Listening. Nothing has been said on the broker yet. | Hört zu. Auf dem Broker wurde noch nichts gesagt. | Escuchando. Aún no se ha dicho nada en el bróker. | 正在倾听。消息代理上还没有任何消息。
found.looksLike | Looks like: {kind} | Sieht aus wie: {kind} | Parece: {kind} | 看起来像：{kind}
found.use | Use it | Nutzen | Usar | 使用
found.useNamed | Use {name} | {name} nutzen | Usar {name} | 使用 {name}
found.hide | Not this one | Dieses nicht | Este no | 不是这个
found.hideNamed | Hide {name} | {name} ausblenden | Ocultar {name} | 隐藏 {name}
found.hidden | Hidden | Ausgeblendet | Ocultos | 已隐藏
found.isHidden | {name} is hidden. | {name} ist ausgeblendet. | {name} está oculto. | {name} 已隐藏。
found.show | Show again | Wieder zeigen | Mostrar otra vez | 重新显示
found.showNamed | Show {name} again | {name} wieder zeigen | Mostrar {name} otra vez | 重新显示 {name}
found.unknown | Others that were heard | Was sonst noch spricht | Otros que se oyen | 听到的其他设备
found.unknownWhy | No definition that comes with Skerry knows these. | Keine der mitgelieferten Definitionen kennt sie. | Ninguna definición incluida en Skerry los conoce. | Skerry 自带的定义都不认识它们。
found.like | Speaks like {kind}, on a topic that begins otherwise. | Spricht wie {kind}, auf einem Topic, das anders beginnt. | Habla como {kind}, en un tema que empieza de otra forma. | 消息像 {kind}，但主题开头不同。
found.kind | What it is | Was es ist | Qué es | 它是什么
found.name | Name | Name | Nombre | 名称
found.preview | What its card would show now | Was seine Karte jetzt zeigen würde | Lo que mostraría su tarjeta ahora | 它的卡片现在会显示的内容
found.idle | {title}. Its card appears when it begins. | {title}. Seine Karte erscheint, wenn es anfängt. | {title}. Su tarjeta aparece cuando empiece. | {title}。它开始工作时卡片就会出现。
found.unheard | Its card appears with its next message. | Seine Karte erscheint mit seiner nächsten Nachricht. | Su tarjeta aparece con su próximo mensaje. | 收到下一条消息时，它的卡片就会出现。
found.notAdmin | Only an administrator adds devices. Sign in as one. | Nur ein Administrator fügt Geräte hinzu. Melde dich als einer an. | Solo un administrador añade dispositivos. Entra como tal. | 只有管理员可以添加设备。请以管理员身份登录。
found.describe | Describe it | Beschreiben | Describir | 描述它
found.describeNamed | Describe {filter} | {filter} beschreiben | Describir {filter} | 描述 {filter}
found.describeWhy | A first text, made from the messages that were just heard. Change it as you like, and save it. | Ein erster Text aus den Nachrichten, die gerade zu hören waren. Ändere ihn, wie du magst, und speichere ihn. | Un primer texto, hecho con los mensajes que se acaban de oír. Cámbialo como quieras y guárdalo. | 根据刚听到的消息生成的初稿。请随意修改，然后保存。
found.newKind | Kind, the name of its file | Art, der Name ihrer Datei | Tipo, el nombre de su archivo | 种类，即文件名
found.save | Save | Speichern | Guardar | 保存
found.saved | The definition {kind} is saved. Its devices are shown from their next message on. | Die Definition {kind} ist gespeichert. Ihre Geräte erscheinen ab ihrer nächsten Nachricht. | La definición {kind} está guardada. Sus dispositivos se muestran desde su próximo mensaje. | 定义 {kind} 已保存。它的设备从下一条消息起显示。
found.cancel | Cancel | Abbrechen | Cancelar | 取消
found.used | {name} is in use. It is shown from its next message on. | {name} wird genutzt und ab der nächsten Nachricht gezeigt. | {name} está en uso. Se muestra desde su próximo mensaje. | {name} 已启用，从下一条消息起显示。
found.undo | Undo | Rückgängig | Deshacer | 撤销
found.undone | It is as it was. | Alles ist wieder wie vorher. | Está como antes. | 已恢复原样。
`);
