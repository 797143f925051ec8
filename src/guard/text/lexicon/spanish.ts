import type { Lexicon } from "./concept.ts";

export const spanish: Lexicon = {
  override:
    "ignora, ignore, ignorar, ignoren, ignorad, ignorando, olvida, olvide, olviden, olvidar, olvidate, descarta, descarte, omite, omita, omitir, anula, anular, desobedece, no sigas, deja de seguir, no hagas caso, haz caso omiso, haga caso omiso, pasa por alto, salta, saltate, desestima, elude, evita",
  setaside: "ya no aplican, quedan anuladas, quedan sin efecto, ya no son validas",
  prior: "anterior, anteriores, anteriormente, previa, previas, previo, previos, precedente, precedentes, de arriba, hasta ahora, antes",
  told: "te dieron, te han dado, que recibiste, te dijeron, te han dicho",
  whole: "todo, todas, todos, toda, cualquier, cualquiera, original, originales, otras, demas",
  instruction: "instruccion, instrucciones, directriz, directrices, directivas, indicaciones, prompt, consignas, ordenes",
  rule: "regla, reglas, politica, politicas, restriccion, restricciones, limitaciones, filtro, filtros, normas",
  matter: "mensajes, contexto, tarea, tareas, conversacion",
  safety: "etica, etico, eticas, moral, seguridad, salvaguardas, censura, reglas de seguridad",
  setup:
    "prompt del sistema, prompt de sistema, instrucciones del sistema, mensaje del sistema, instrucciones iniciales, prompt inicial, instrucciones ocultas, instrucciones internas, contexto oculto, tus instrucciones, tu prompt, tu configuracion, reglas del sistema",
  ownsetup: "tus instrucciones, tu prompt, sus instrucciones, tu prompt del sistema, tus reglas",
  reveal:
    "revela, revele, revelar, muestra, muestrame, muestre, imprime, imprima, repite, repita, dime, dame, filtra, filtre, expon, divulga, escribe, traduce, copia, cuales son, cual es",
  persona:
    "actua como, actue como, eres ahora, ahora eres, a partir de ahora, desde ahora, finge, haz de cuenta, comportate como, simula, imagina que eres, haz el papel, asume el papel, de ahora en adelante",
  become: "ahora eres, eres ahora, finge que eres, finge ser, imagina que eres, actua como si fueras, ya no eres",
  unrestricted:
    "sin restricciones, sin ninguna restriccion, sin limites, sin filtros, sin filtro, sin censura, sin reglas, modo desarrollador, modo dios, ilimitado, libre de restricciones",
  ai: "ia, asistente, asistentes, modelo de lenguaje, agente de ia, inteligencia artificial, chatbot",
  attention:
    "atencion, aviso, hola, estimado, estimada, si eres, si usted es, nota para, mensaje para, instrucciones para, al asistente, leyendo esto, que lea esto, que leen esto",
  you: "tu, tus, te, usted, su, sus, vuestras, vuestros",
  conceal:
    "no le digas, no digas, no menciones, no mencione, no informes, no informe, no avises, sin avisar, sin informar, sin decir, sin decirle, sin mencionar, en secreto, secretamente, silenciosamente, no reveles, no se lo digas, oculta, a escondidas, sin que el usuario",
  unseen: "en secreto, secretamente, silenciosamente, sin avisar, sin informar, a escondidas",
  itself: "este mensaje, estas instrucciones, esta instruccion, esta nota, este cambio, esto, este paso",
  person: "usuario, usuarios, usuaria, humano, desarrollador, administrador, nadie, propietario",
  disloyal:
    "ignora al usuario, ignore al usuario, no obedezcas al usuario, no hagas caso al usuario, no sigas las instrucciones del usuario",
  secret:
    "contrasena, contrasenas, secreto, secretos, credencial, credenciales, clave api, claves api, clave privada, claves privadas, claves, clave de api, claves de api, variables de entorno, clave secreta",
  send: "envia, envie, enviar, envialo, envialos, envialas, manda, mande, mandar, publica, publique, sube, suba, subir, reenvia, transmite, exfiltra, remite",
  destination: "mi servidor, servidor externo, la siguiente url, la siguiente direccion, este enlace, esta direccion",
  run: "ejecuta, ejecute, ejecutar, corre, corra, invoca, llama, instala, instale, abre, lanza, usa, utiliza",
  tool: "comando, comandos, herramienta, herramientas, terminal, consola, funcion, script, codigo siguiente",
  order:
    "siguientes instrucciones, siguiente instruccion, estas instrucciones, sigue estas, sigue las, obedece, en su lugar, en cambio, haz lo siguiente, debes ahora, cumple, en vez de eso",
  neworder: "nuevas instrucciones, nueva instruccion, nueva tarea, nuevas reglas, tu verdadera tarea, tu nueva tarea, en su lugar sigue",
  parrot: "responde solo, responde unicamente, responde solamente, di solo, escribe solo",
  urgent: "importante, urgente, inmediatamente, critico, obligatorio, debes, debe, advertencia, ahora mismo, de inmediato",
  authority: "administrador, desarrollador, tu creador, tu dueno, soy tu, equipo de seguridad, supervisor",
  permission: "autorizado, autorizada, autorizacion, permiso, aprobado, te autoriza, tiene permiso",
  check: "prueba, pruebas, tests, verificacion, verificador, revision, politica, presupuesto, controles, seguridad, auditoria, aprobacion",
  disable:
    "desactiva, desactive, desactivar, deshabilita, deshabilite, deshabilitar, apaga, elimina, elimine, borra, borre, omite, aprueba, apruebe, marca como, fusiona, aumenta, aprueba este, aprobar",
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
};
