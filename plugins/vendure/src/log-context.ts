/** The context of this plug-in's lines in Vendure's log. */
export const LOG_CONTEXT = "TuaPlugin";
