// The words about the broker.
import { addLines } from "./texts.js";

addLines(`
broker.title | The broker | Der Broker | El bróker | 消息代理
broker.signIn | An administrator can set it here. | Ein Administrator kann ihn hier einstellen. | Un administrador puede ajustarlo aquí. | 管理员可以在此设置。
broker.host | Name or address | Name oder Adresse | Nombre o dirección | 名称或地址
broker.port | Port | Port | Puerto | 端口
broker.tls | Encryption | Verschlüsselung | Cifrado | 加密
broker.tls.none | None | Keine | Ninguno | 无
broker.tls.system | TLS, known certificate authority | TLS, bekannte Zertifizierungsstelle | TLS, autoridad conocida | TLS，公认的颁发机构
broker.tls.authority | TLS, own certificate authority | TLS, eigene Zertifizierungsstelle | TLS, autoridad propia | TLS，自己的颁发机构
broker.authority | CA certificate (PEM) | CA-Zertifikat (PEM) | Certificado de la autoridad (PEM) | 颁发机构的证书（PEM）
broker.authorityKept | Without a new file, the present one stays. | Ohne neue Datei bleibt die jetzige. | Sin un archivo nuevo, queda el actual. | 不选择新文件则保留现有文件。
broker.username | User | Benutzer | Usuario | 用户名
broker.password | Password | Passwort | Contraseña | 密码
broker.kept | unchanged | unverändert | sin cambios | 保持不变
broker.try | Try and use it | Ausprobieren und verwenden | Probar y usar | 尝试并使用
broker.trying | Trying… | Wird ausprobiert… | Probando… | 正在尝试……
broker.works | It works. The bridge starts again with it… | Das geht. Die Bridge startet damit neu… | Funciona. El puente vuelve a arrancar con él… | 连接成功。网桥正用它重新启动……
broker.back | Use the broker of the configuration again | Wieder den Broker der Konfiguration verwenden | Volver al bróker de la configuración | 恢复使用配置中的消息代理
broker.backSure | Really go back? Press again | Wirklich zurück? Noch einmal drücken | ¿Volver de verdad? Pulsa otra vez | 确定恢复？请再按一次
broker.starts | The bridge starts again… | Die Bridge startet neu… | El puente vuelve a arrancar… | 网桥正在重新启动……
broker.done | The bridge is connected to {address}. | Die Bridge ist mit {address} verbunden. | El puente está conectado a {address}. | 网桥已连接到 {address}。
broker.notYet | The bridge runs with {address}, but it is not connected yet. | Die Bridge läuft mit {address}, ist aber noch nicht verbunden. | El puente usa {address}, pero aún no está conectado. | 网桥使用 {address}，但尚未连接。
broker.gone | The bridge does not answer. Its log says why. | Die Bridge antwortet nicht. Ihr Protokoll sagt, warum. | El puente no responde. Su registro dice por qué. | 网桥没有应答，原因见其日志。
broker.nothing | Nothing has changed. | Nichts wurde geändert. | No ha cambiado nada. | 未作任何更改。
broker.error.broker-unknown | No host has this name. | Diesen Namen gibt es im Netz nicht. | Ningún equipo tiene este nombre. | 没有主机使用此名称。
broker.error.broker-unreachable | Nothing answers there. | Dort antwortet niemand. | Allí no responde nadie. | 那里没有应答。
broker.error.broker-insecure | The encrypted connection fails. | Die verschlüsselte Verbindung kommt nicht zustande. | Falla la conexión cifrada. | 加密连接失败。
broker.error.broker-login | The broker refuses user and password. | Der Broker weist Benutzer und Passwort ab. | El bróker rechaza usuario y contraseña. | 消息代理拒绝了用户名和密码。
broker.error.broker-refused | The broker refuses the connection. | Der Broker weist die Verbindung ab. | El bróker rechaza la conexión. | 消息代理拒绝连接。
broker.error.broker-lost | There is an answer, but not one of a broker. Does it expect TLS? | Dort antwortet etwas, aber nicht wie ein Broker. Erwartet es TLS? | Algo responde, pero no como un bróker. ¿Espera TLS? | 有应答，但不像消息代理。是否需要 TLS？
broker.error.broker-settings | The bridge can’t use this. | Damit kann die Bridge nichts anfangen. | El puente no puede usar esto. | 网桥无法使用这些设置。
broker.error.broker-taken | Another bridge is at this broker. | An diesem Broker ist schon eine andere Bridge. | Otro puente usa ya este bróker. | 另一个网桥已在使用此消息代理。
broker.error.password-needed | The stored password is for the former broker. Enter one. | Das gespeicherte Passwort ist für den bisherigen Broker. Gib eins ein. | La contraseña guardada es del bróker anterior. Escribe una. | 保存的密码属于原来的消息代理，请输入密码。
broker.error.no-authority | Choose the CA certificate file. | Wähle die Datei mit dem CA-Zertifikat. | Elige el archivo de la autoridad. | 请选择颁发机构的文件。
`);
