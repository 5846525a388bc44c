import type { BanWishes, CancelWishes, DeletionWishes, LiftWishes } from './plays/life-cycle.ts'
import type { Selectors } from './plays/list-users.ts'
import type { ChannelPage, GuildPage } from './plays/reads.ts'
import type { FlagWishes } from './plays/facts.ts'

/** A request in a play, by names: what they stand for is known only once it is sent. */

/** Three who live, among them the bot of an application; one who is erased; nobody; no id; and the caller. */
export const targets = ['ada', 'brian', 'engine', 'gone', 'nowhere', 'word', 'self'] as const
export type TargetName = (typeof targets)[number]

/** ACLs that widen what is seen. */
export const viewAcls = ['user:view:email', 'user:view:dob', 'user:view:ip', 'audit_log:view'] as const

/**
 * `root` has `*`; `admin` a session, and `key` an Admin key of root, with the operation's ACL where `holds` says so, and these
 * others. The rest is refused before anything is looked at.
 */
export type Sender =
  | { readonly kind: 'admin' | 'key'; readonly holds: boolean; readonly more: readonly string[] }
  | { readonly kind: 'root' | 'plain account' | 'bot' | 'bearer' | 'none' }

/** A request to one of these operations, with what is sent. */
type Of<Op, Input = unknown> = Op extends string
  ? {
      readonly op: Op
      readonly on: TargetName
      readonly by: Sender
      /** X-Audit-Log-Reason. */
      readonly reason?: string
    } & Input
  : never

export type Pending = 'current' | 'another' | 'none'

export type AdminStep =
  | Of<
      | 'get user'
      | 'list applications'
      | 'list relationships'
      | 'list sessions'
      | 'list passkeys'
      | 'verify email'
      | 'resend verification'
      | 'send password reset'
      | 'create reset link'
      | 'delete recovery kit'
      | 'terminate sessions'
      | 'disable MFA'
      | 'cancel scheduled deletion'
    >
  | Of<'list users', { readonly selectors: Selectors; readonly named: readonly NamedSelector[] }>
  | Of<'list guilds', { readonly page: GuildPage; readonly cursors: readonly ('before' | 'after')[] }>
  | Of<'list direct messages', { readonly page: ChannelPage }>
  | Of<'list change log', { readonly limit?: number; readonly goesOn: boolean }>
  | Of<'get shred job', { readonly job: 'last' | 'unknown' | 'word' }>
  | Of<'update flags', { readonly wishes: FlagWishes<string> }>
  | Of<'update premium flags', { readonly wishes: FlagWishes<number> }>
  | Of<'set traits', { readonly traits: readonly string[] }>
  | Of<'change date of birth', { readonly date: string }>
  | Of<'set bot status', { readonly bot: boolean }>
  | Of<'set system status', { readonly system: boolean }>
  | Of<'set ACLs', { readonly acls: readonly string[] }>
  | Of<'change username', { readonly username: string | null | Taken; readonly discriminator?: string }>
  | Of<'change email', { readonly email: string | null }>
  | Of<'clear profile fields', { readonly fields: readonly string[] }>
  | Of<'ban', { readonly wishes: BanWishes }>
  | Of<'lift ban', { readonly wishes: LiftWishes }>
  | Of<
      'schedule deletion',
      { readonly wishes: Omit<DeletionWishes, 'expected_pending_deletion_at'>; readonly expects: Pending }
    >
  | Of<
      'cancel deletion',
      { readonly wishes: Omit<CancelWishes, 'expected_pending_deletion_at'>; readonly expects: Pending }
    >
  | Of<'remove relationships', { readonly category: string }>
  | Of<'remove one relationship', { readonly other: 'ada' | 'brian' | 'carol' | 'nowhere'; readonly category: string }>
  | Of<'delete passkey', { readonly which: 'first' | 'unknown' }>
  | Of<'delete all messages', { readonly dryRun?: string }>
  | Of<'shred messages', { readonly of: readonly ('ada' | 'brian' | 'nobody')[] }>
  | Of<'trigger archive', { readonly includes?: boolean | string }>

/** The username of another account; with `tag`, its discriminator too, whatever the step says. */
export interface Taken {
  readonly of: 'ada' | 'brian' | 'carol'
  readonly tag: boolean
}

/** What a selector names of the step's target. */
export interface NamedSelector {
  readonly selector: 'user_id' | 'resolve' | 'email' | 'q'
  readonly names: 'id' | 'tag' | 'username' | 'email' | 'unknown'
}

/** What the holders do themselves, so that there is something to administer. */
export interface HolderStep {
  readonly op: 'sign in' | 'say' | 'schedule own messages' | 'be reported' | 'be reported to be too young'
  readonly on: 'ada' | 'brian'
}

export type Step = AdminStep | HolderStep

export const isHolderStep = (step: Step): step is HolderStep =>
  ['sign in', 'say', 'schedule own messages', 'be reported', 'be reported to be too young'].includes(step.op)
