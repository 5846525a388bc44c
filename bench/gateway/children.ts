import { z } from 'zod'
import { forkChild, type Child } from '../support/child.ts'

export const open_ms_max = 900_000

const listening = z.object({ port: z.int() })

/** Starts a script of this folder. */
export const gatewayScript = (name: 'bare-gateway' | 'session-load' | 'resume-load'): Child =>
  forkChild(new URL(`../gateway/${name}.js`, import.meta.url))

/** Makes a bare `ws` server listen, and gives its port. */
export async function listenBare(
  server: Child,
  texts: { readonly onOpen?: readonly Uint8Array[]; readonly onMessage?: readonly Uint8Array[] } = {},
): Promise<number> {
  return listening.parse(await server.ask({ listen: texts }, open_ms_max)).port
}
