/** The log for the operator. Never logs tokens, or anything that a client sent. */
export interface GatewayLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
