/** Where the Gateway tells of what its operator should know. Never of tokens, and never of what a client sent. */
export interface GatewayLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
