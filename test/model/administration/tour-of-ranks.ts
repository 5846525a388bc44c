import type { AdminStep, Sender, Step, TargetName } from './step.ts'

/** Steps of a tour whose outcome depends on the ACLs of the account that they are done to. */

export const root: Sender = { kind: 'root' }
export const just: Sender = { kind: 'admin', holds: true, more: [] }
export const key: Sender = { kind: 'key', holds: true, more: [] }

type Unsent<Each> = Each extends unknown ? Omit<Each, 'on' | 'by' | 'reason'> : never
/** An operation without its target and its sender. */
export type Act = Unsent<AdminStep>

export const send = (on: TargetName, by: Sender, act: Act, because?: string): AdminStep =>
  ({ ...act, on, by, ...(because === undefined ? {} : { reason: because }) }) as AdminStep
const flagging: Act = { op: 'update flags', wishes: { add_flags: ['12'], remove_flags: ['8'] } }
const taking: readonly Act[] = [
  flagging,
  { op: 'set ACLs', acls: [] },
  { op: 'ban', wishes: { duration_hours: 1 } },
  { op: 'terminate sessions' },
  { op: 'disable MFA' },
  { op: 'delete passkey', which: 'first' },
  { op: 'change username', username: null },
  { op: 'change email', email: null },
  { op: 'verify email' },
  { op: 'resend verification' },
  { op: 'send password reset' },
]

export const ranks: readonly Step[] = [
  send('brian', { kind: 'admin', holds: true, more: ['user:lookup'] }, { op: 'set ACLs', acls: ['user:lookup'] }),
  send('brian', { kind: 'admin', holds: true, more: ['user:lookup'] }, { op: 'set ACLs', acls: ['user:temp_ban'] }),
  send('brian', { kind: 'key', holds: true, more: ['user:lookup'] }, { op: 'set ACLs', acls: ['*'] }),
  send('engine', root, { op: 'set ACLs', acls: ['user:lookup'] }),
  send('brian', root, { op: 'set bot status', bot: true }),
  // Whatever takes something from an account that holds ACLs asks for them (decision 156).
  ...taking.flatMap((act) => [send('brian', just, act), send('brian', key, act)]),
  send('brian', { kind: 'admin', holds: true, more: ['user:lookup'] }, flagging),
  send('brian', just, { op: 'update premium flags', wishes: { add_flags: [32] } }),
  send('brian', root, { op: 'set ACLs', acls: [] }),
]
