import type { components } from '../dist/client-api/gateway.d.ts'

type Schemas = components['schemas']

/** What the Gateway tells, by the name of the dispatch. */
export type Dispatches = Schemas['Dispatches']

/** A dispatch: its name `t` says what `d` is. `s` counts those of the session. Later versions may have other names. */
export type Dispatch = {
  readonly [Name in keyof Dispatches]: {
    readonly op: typeof opcodes.dispatch
    readonly t: Name
    readonly s: number
    readonly d: Dispatches[Name]
  }
}[keyof Dispatches]

type Commands = Schemas['Commands']

/** What a program may send once its session has begun; the rest is the client's. */
export type Command = Commands[Exclude<keyof Commands, 'heartbeat' | 'identify' | 'resume'>]

/** What the client sends by itself. */
export type OwnCommand = Commands['heartbeat' | 'identify' | 'resume']

/** What a program may choose of how its session begins. */
export type IdentifyOptions = Omit<Commands['identify']['d'], 'token'>

export const opcodes = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const

/** What a server sends, as far as the client acts on it. Others are passed over. */
export type Payload =
  | Dispatch
  | { readonly op: typeof opcodes.heartbeat | typeof opcodes.reconnect | typeof opcodes.heartbeatAck }
  /** Whether the session may be resumed all the same, on another connection. */
  | { readonly op: typeof opcodes.invalidSession; readonly d: boolean }
  | { readonly op: typeof opcodes.hello; readonly d: { readonly heartbeat_interval: number } }

/** Why a connection ended. */
export interface Closing {
  /** Of the websocket: 4000 and above are the Gateway's. */
  readonly code: number
  readonly reason: string
}

/** Whatever the client does, these come again: the program, its token or its shards must change first. */
const final: ReadonlySet<number> = new Set([4001, 4002, 4004, 4010, 4011, 4012])
/** These say that the session, or what the client knows of it, is of no use any more. */
const forgetting: ReadonlySet<number> = new Set([4003, 4005, 4007])
const rateLimited = 4008

/** What a client does after the close of a connection: ends, begins anew, resumes at its own pace, or resumes after a while. */
export type Consequence = 'ends' | 'begins' | 'resumes' | 'waits'

export function consequenceOf({ code }: Closing): Consequence {
  if (final.has(code)) return 'ends'
  if (forgetting.has(code)) return 'begins'
  return code === rateLimited ? 'waits' : 'resumes'
}
