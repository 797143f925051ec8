// Spanish words for the concepts of the text scanner.
import type { Lexicon } from "./concept.ts";

export const spanish: Lexicon = {
  override:
    "ignora, ignore, ignorar, ignoren, ignorad, ignorando, olvida, olvide, olviden, olvidar, olvidate, descarta, descarte, omite, omita, omitir, anula, anular, desobedece, no sigas, deja de seguir, no hagas caso, haz caso omiso, haga caso omiso, pasa por alto, salta, saltate, desestima, elude, evita, deja de lado, deje de lado, dejar de lado, desecha, abandona, prescinde de, haz a un lado, no obedezcas, no cumplas, incumple, rechaza las",
  setaside: "ya no aplican, quedan anuladas, quedan sin efecto, ya no son validas",
  prior: "anterior, anteriores, anteriormente, previa, previas, previo, previos, precedente, precedentes, de arriba, hasta ahora, antes",
  told: "te dieron, te han dado, que recibiste, te dijeron, te han dicho, que te dieron, que has recibido, que te han dado, que tienes, que recibiste",
  whole: "todo, todas, todos, toda, cualquier, cualquiera, original, originales, otras, demas",
  instruction: "instruccion, instrucciones, directriz, directrices, directivas, indicaciones, prompt, consignas, ordenes",
  rule: "regla, reglas, politica, politicas, restriccion, restricciones, limitaciones, filtro, filtros, normas",
  matter: "mensajes, contexto, tarea, tareas, conversacion",
  safety: "etica, etico, eticas, moral, seguridad, salvaguardas, censura, reglas de seguridad",
  setup:
    "prompt del sistema, prompt de sistema, instrucciones del sistema, mensaje del sistema, instrucciones iniciales, prompt inicial, instrucciones ocultas, instrucciones internas, contexto oculto, tus instrucciones, tu prompt, tu configuracion, reglas del sistema",
  ownsetup:
    "tus instrucciones, tu prompt, sus instrucciones, tu prompt del sistema, tus reglas, tu prompt inicial, tu prompt de sistema, tus instrucciones iniciales, tus instrucciones internas, tus directrices, tu mensaje de sistema, tus instrucciones del sistema, tu configuracion inicial, las instrucciones que recibiste",
  reveal:
    "revela, revele, revelar, muestra, muestrame, muestre, imprime, imprima, repite, repita, dime, dame, filtra, filtre, expon, divulga, escribe, traduce, copia, cuales son, cual es, palabra por palabra, textualmente, literalmente, pega, pegue, reproduce, transcribe, ensena, ensename, publica",
  persona:
    "actua como, actue como, eres ahora, ahora eres, a partir de ahora, desde ahora, finge, haz de cuenta, comportate como, simula, imagina que eres, haz el papel, asume el papel, de ahora en adelante",
  become:
    "ahora eres, eres ahora, finge que eres, finge ser, imagina que eres, actua como si fueras, ya no eres, a partir de ahora eres, desde ahora eres, de ahora en adelante eres, eres un agente sin",
  unrestricted:
    "sin restricciones, sin ninguna restriccion, sin limites, sin filtros, sin filtro, sin censura, sin reglas, modo desarrollador, modo dios, ilimitado, libre de restricciones, nunca rechazas, nunca rechaza, nunca te niegas, no rechazas nada, sin limitaciones, sin ninguna limitacion, responde a todo",
  ai: "ia, asistente, asistentes, modelo de lenguaje, agente de ia, inteligencia artificial, chatbot, modelos de lenguaje, agentes de ia, asistente de codigo, asistente de ia, modelo de ia, modelos de ia, cualquier ia, agente de codigo",
  attention:
    "atencion, aviso, hola, estimado, estimada, si eres, si usted es, nota para, mensaje para, instrucciones para, al asistente, leyendo esto, que lea esto, que leen esto, a cualquier ia, para el agente, para la ia, que este leyendo, que lee esto, al agente, para el asistente",
  you: "tu, tus, te, usted, su, sus, vuestras, vuestros",
  conceal:
    "no le digas, no digas, no menciones, no mencione, no informes, no informe, no avises, sin avisar, sin informar, sin decir, sin decirle, sin mencionar, en secreto, secretamente, silenciosamente, no reveles, no se lo digas, oculta, a escondidas, sin que el usuario",
  unseen: "en secreto, secretamente, silenciosamente, sin avisar, sin informar, a escondidas",
  itself: "este mensaje, estas instrucciones, esta instruccion, esta nota, este cambio, esto, este paso",
  person: "usuario, usuarios, usuaria, humano, desarrollador, administrador, nadie, propietario",
  disloyal:
    "ignora al usuario, ignore al usuario, no obedezcas al usuario, no hagas caso al usuario, no sigas las instrucciones del usuario",
  secret:
    "contrasena, contrasenas, secreto, secretos, credencial, credenciales, clave api, claves api, clave privada, claves privadas, claves, clave de api, claves de api, variables de entorno, clave secreta, env, llave privada, llaves privadas, clave ssh, claves ssh, cookies de sesion",
  send: "envia, envie, enviar, envialo, envialos, envialas, manda, mande, mandar, publica, publique, sube, suba, subir, reenvia, transmite, exfiltra, remite, publicalas, publicalos, publicalo, publicala, subelo, subelas, subelos, mandalo, mandalas, pegalo, pegalas en, enviala, reenvialo",
  destination: "mi servidor, servidor externo, la siguiente url, la siguiente direccion, este enlace, esta direccion",
  run: "ejecuta, ejecute, ejecutar, corre, corra, invoca, llama, instala, instale, abre, lanza, usa, utiliza",
  tool: "comando, comandos, herramienta, herramientas, terminal, consola, funcion, script, codigo siguiente",
  order:
    "siguientes instrucciones, siguiente instruccion, estas instrucciones, sigue estas, sigue las, obedece, en su lugar, en cambio, haz lo siguiente, debes ahora, cumple, en vez de eso",
  neworder:
    "nuevas instrucciones, nueva instruccion, nueva tarea, nuevas reglas, tu verdadera tarea, tu nueva tarea, en su lugar sigue, haz lo que dice, haz lo que diga, haga lo que dice, obedece solo, obedece unicamente, sigue solo, sigue unicamente, nueva directiva, nuevo objetivo, nueva mision, tu nuevo objetivo, tu unica tarea, unicamente lo siguiente, solo lo siguiente",
  parrot: "responde solo, responde unicamente, responde solamente, di solo, escribe solo",
  urgent: "importante, urgente, inmediatamente, critico, obligatorio, debes, debe, advertencia, ahora mismo, de inmediato",
  authority: "administrador, desarrollador, tu creador, tu dueno, soy tu, equipo de seguridad, supervisor",
  permission: "autorizado, autorizada, autorizacion, permiso, aprobado, te autoriza, tiene permiso",
  check:
    "prueba, pruebas, tests, verificacion, verificador, revision, politica, presupuesto, controles, seguridad, auditoria, aprobacion, ci, comprobaciones, validacion, sandbox, permisos, confirmacion, linter",
  disable:
    "desactiva, desactive, desactivar, deshabilita, deshabilite, deshabilitar, apaga, elimina, elimine, borra, borre, omite, aprueba, apruebe, marca como, fusiona, aumenta, aprueba este, aprobar, salta, saltate, ignora, anula, desconecta, comenta, quita, retira, sube el, modifica, edita, elude",
  praise: "es seguro, es perfecto",
  persist:
    "recuerda, recuerde, memoriza, guarda, siempre, en el futuro, a partir de ahora, permanentemente, en todas, anade a, agrega a, escribe en",
  memory:
    "memoria, futuras conversaciones, futuras sesiones, futuras respuestas, respuestas futuras, sesiones, conversaciones, todas las respuestas",
  request: "por favor, puedes, podrias, puede, podria, debes, tienes que, necesito que, quiero que",
  mine: "mi, mis, mio, me",
  fetch: "obten, obtenga, recupera, recupere, busca, busque, lee, lea, accede, descarga, descargue, extrae, recopila, lista",
  private:
    "cuenta, cuentas, historial, personales, privados, medicos, bancarios, archivos, documentos, correos, datos, informacion, contactos, registros",
  act: "transfiere, transfiera, elimina, borra, concede, paga, retira, desbloquea, deposita, vende, comparte, cambia",
  answer: "tu respuesta, tus respuestas, su respuesta, tu salida, tu resumen, dile al usuario",
  shape:
    "anade, agrega, incluye, inserta, modifica, promociona, sugiere, menciona, reemplaza, termina, empieza, responde solo, responde unicamente, escribe, recomienda",
  discussion: "inyeccion de prompt, inyeccion de prompts, atacante, atacantes, ataques, detecta",
  agent: "agente, agentes, bot, bots, modelo, modelos, robot, robots",
  called:
    "(a|para) (cualquier|toda|todos los|la|los|el) (ia|agente|agentes|modelo|modelos|asistente|asistentes|agente de ia|modelos de lenguaje|modelo de lenguaje) que (lea|lean|lee|leen|este|procese|analice|revise), si eres (un|una) (modelo|modelo de lenguaje|ia|agente|asistente|bot|agente de ia|asistente de ia), para el (agente|asistente|agente de ia|asistente de ia), para la ia",
  granted:
    "ya (ha |han |he |) (autorizo|autorizado|aprobo|aprobado|acepto|aceptado|permitido|permitio|confirmado|confirmo|dio|dado|concedido|consentido|autorizadas|aprobadas), (permiso|autorizacion|aprobacion|consentimiento) (ha sido|fue|ya fue|esta|ya esta) (concedido|concedida|dado|dada|otorgado|otorgada|otorgada), (te|le) (autorizo|permito|doy permiso|doy autorizacion), estas (autorizado|autorizada|habilitado|facultado), (autorizo|aprobo) (todo|todas|todos)",
  unasked:
    "sin (pedir |solicitar |esperar |mas |ninguna |preguntar |) (confirmacion|permiso|aprobacion|autorizacion|revision|preguntar|consultar|consulta|confirmar|nada), sin preguntar, no (pidas|pida|solicites|esperes|requiere|hace falta|necesitas|es necesario)( pedir| ninguna|) (confirmacion|permiso|aprobacion|autorizacion|confirmar|preguntar|respuesta), no preguntes, no consultes, omite la (confirmacion|aprobacion|revision)",
  drastic:
    "(borra|elimina|borre|elimine) (la|el|las|los|toda la) (rama|base|base de datos|tabla|tablas|repositorio|copias|copia), push forzado, force push, (haz|fuerza el|fuerza un) push( directo| forzado|)( a|)( main|), (sube|empuja) (directamente |) a (main|master|produccion), (fusiona|despliega|publica) (directamente|sin|de inmediato|en produccion), (da|dale|concede|otorga) (acceso|permisos|derechos) (de administrador|total|completo|completos|de escritura)",
  openup:
    "acceso total, acceso completo, permisos de administrador, permisos totales, todos los permisos, privilegios de administrador, (todos|todas|cualquier) (los |las |) (comandos|comando|acciones|accion)( estan|)( permitidos| permitidas|), permite todo, permitir todo, sin limitaciones",
  newpolicy:
    "(politica|reglas|normas|politica de seguridad) (ha sido|han sido|fue|fueron|se ha|se han) (actualizada|actualizadas|cambiada|modificada|modificadas|actualizado|levantada|reemplazada), nueva directiva, nueva politica, mensaje del sistema, aviso del sistema, notificacion del sistema",
  ownlimit: "tu presupuesto, tus limites, tu limite, tus permisos, tu propio presupuesto, tu propio limite, tu limite de gasto",
  topass:
    "para (pasar|superar|aprobar|satisfacer) (la |las |los |el |)(verificacion|pruebas|tests|revision|control|controles), para que (todo|las pruebas|la ci) (pase|pasen|quede en verde)",
  feign:
    "(di|diga|informa|informe|reporta|reporte|declara|declare|afirma|afirme|anuncia|indica|escribe|responde) que (todo|todas|todos|las pruebas|todas las pruebas|todos los tests|los tests|la tarea|esta) (esta|estan|paso|pasa|pasan|pasaron|ha pasado|funciona|salio|en verde|bien|completa|terminada|lista|listo), como (aprobado|aprobada|aprobadas|superado|superada|completado|completada|verificado|verificada|seguro|exitoso|terminado), todo esta en verde, todo en verde, todas las pruebas pasan",
  keep: "(recuerda|recuerde|memoriza|memorice|ten presente|no olvides) (esto|que|siempre|lo|para|en), (guarda|guardalo|guardala|guarde|anade|anadelo|agrega|agregalo|escribe|escribelo|copia|copialo|apunta|apuntalo|inserta|registra) (esto|lo|esta|este|en|a|esta linea|esta regla|este texto|este comentario)( en| a| al|), guardalo, anadelo, escribelo en, agregalo, copialo",
  standing: "tu memoria, tus reglas, tus notas, memoria a largo plazo",
  future:
    "(todas|todos|cada|en|para)( las| los| tus| todas las|) (sesiones|futuras|proximas|sesion|conversaciones|siguientes|futuros) (futuras|sesiones|conversaciones|siguientes|proximas|tareas|respuestas|veces|), de ahora en adelante, a partir de ahora, desde ahora, en adelante, para siempre, el proximo agente, otros agentes, cada vez que",
  forever: "siempre, nunca, jamas",
  hush: "no (le |se lo |lo |les |) (digas|diga|cuentes|menciones|mencione|informes|avises|reveles|comentes|comuniques) (nada |esto |esta |este |de esto |) (al|a los|a nadie|a la|nada al|de esto al|cambio|instruccion|comentario|mensaje|paso|modificacion|en el resumen|en tu resumen)( usuario| usuarios| humano| desarrollador| equipo| mantenedor| mantenedores| revisor|), (el|los) (usuario|usuarios|humano|desarrollador|mantenedor|mantenedores) no (debe|deben|necesita|tiene que|tienen que|necesitan|puede) (saber|saberlo|enterarse|ver|darse cuenta|notar), sin que (el|nadie|lo) (usuario|sepa|se entere|note|lo sepa|desarrollador)( se entere| lo sepa| lo note|), sin (avisar|informar|decir|decirle)( nada|) (al|a los|a la) (usuario|usuarios|desarrollador|equipo), entre nosotros, guarda el secreto, nadie (debe|tiene que) (saber|saberlo|enterarse), borra (tus|las|todas las) huellas",
  report: "resumen, informe, registro de cambios, descripcion",
  verdict:
    "(aprueba|apruebe|acepta|acepte|fusiona|recomienda|considera|califica|valora|da por bueno) (este|esta|el|la) (pull request|paquete|cambio|codigo|parche|contribucion|solicitud|commit|pr), (es|como) (seguro|segura|fiable|inofensivo), (di|concluye|indica|afirma) que (este|esta|el|la|no|es), (ninguna|sin) (vulnerabilidad|vulnerabilidades|fallos)",
  outlet:
    "el comentario, un comentario, como comentario, este ticket, el ticket, pull request, la descripcion, tu respuesta, mensaje de commit",
};
