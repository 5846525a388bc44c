import { openSession, type RawSession } from './raw-session.ts'

export const gatewayPath = '/gateway?v=1&encoding=json'

const head_bytes = 48
const readyMark = Buffer.from('"t":"READY"')

/** What a session is opened with; `initialGuild` is one in which it hears everything, however large. */
export function identify(token: string, initialGuild?: string): object {
  const properties = { os: 'bench', browser: 'bench', device: 'bench' }
  return { op: 2, d: { token, properties, ...(initialGuild === undefined ? {} : { initial_guild_id: initialGuild }) } }
}

/** The beginning of a payload, which has the name of a dispatch. */
export const headOf = (payload: Buffer): Buffer => payload.subarray(0, head_bytes)

/**
 * Opens a session of a token; `onPayload` gets each payload, valid during the call. Resolves once READY is there, with a copy of it.
 */
export async function openReadySession(
  { port, path = gatewayPath }: { readonly port: number; readonly path?: string },
  first: object,
  onPayload: (payload: Buffer) => void = () => undefined,
): Promise<{ readonly session: RawSession; readonly ready: Buffer }> {
  let become: (ready: Buffer) => void = () => undefined
  const isReady = new Promise<Buffer>((resolve) => (become = resolve))
  const session = await openSession(port, path, (payload) => {
    if (headOf(payload).includes(readyMark)) become(Buffer.from(payload))
    onPayload(payload)
  })
  session.send(first)
  return { session, ready: await isReady }
}
