import * as contacts from './plays/contacts.ts'
import * as facts from './plays/facts.ts'
import * as lifeCycle from './plays/life-cycle.ts'
import * as messages from './plays/messages.ts'
import * as people from './plays/people.ts'
import { listUsers } from './plays/list-users.ts'
import * as reads from './plays/reads.ts'
import { changeUsername } from './plays/tags.ts'
import { tagOf, type ModelAccount } from './account.ts'
import type { AdminPlay, Ask } from './play.ts'
import type { ShredEntry } from './plays/messages.ts'
import type { AdminStep, NamedSelector, Pending } from './step.ts'

/** What a run knows besides the model. */
interface Run {
  /** Of the page of the change log that was read last, by account. */
  readonly logTokens: ReadonlyMap<string, { readonly text: string; readonly skipped: number }>
  noteToken(id: string, text: string | null, skipped: number): void
  idOf(name: 'ada' | 'brian' | 'carol' | 'nowhere'): string
  readonly messageOf: (author: 'ada' | 'brian' | 'nobody') => ShredEntry
  readonly jobEnded: (job: string) => Promise<void>
}

const unknownId = '1'

/** The play of a step, with what exists at that moment. Some plays wait for what they began. */
export function playOf(run: Run, ask: Ask, step: AdminStep): AdminPlay & { readonly after?: () => Promise<void> } {
  return readOf(run, ask, step) ?? changeOf(run, ask, step) ?? actOf(run, ask, step)
}

function readOf(run: Run, ask: Ask, step: AdminStep): AdminPlay | undefined {
  switch (step.op) {
    case 'get user':
      return reads.getUser(ask)
    case 'list users':
      return listUsers(ask, { ...step.selectors, ...Object.fromEntries(step.named.map(named(ask))) })
    case 'list guilds': {
      const cursors = Object.fromEntries(step.cursors.map((name) => [name, ask.world.home.id]))
      return reads.listGuilds(ask, { ...step.page, ...cursors })
    }
    case 'list direct messages':
      return reads.listDirectMessages(ask, step.page)
    case 'list applications':
      return reads.listApplications(ask)
    case 'list relationships':
      return people.listRelationships(ask)
    case 'list sessions':
      return people.listSessions(ask)
    case 'list passkeys':
      return people.listPasskeys(ask)
    case 'list change log': {
      const { limit, goesOn } = step
      const token = goesOn ? run.logTokens.get(ask.id) : undefined
      const page = { ...(limit === undefined ? {} : { limit }), ...(token ? { token } : {}) }
      return contacts.listChangeLog(ask, page, (next, skipped) => run.noteToken(ask.id, next, skipped))
    }
    case 'get shred job': {
      const last = ask.world.jobs.at(-1)?.id ?? unknownId
      return messages.getShredJob(ask, { last, unknown: unknownId, word: 'word' }[step.job])
    }
    default:
      return undefined
  }
}

function changeOf(run: Run, ask: Ask, step: AdminStep): AdminPlay | undefined {
  switch (step.op) {
    case 'update flags':
      return facts.updateFlags(ask, step.wishes)
    case 'update premium flags':
      return facts.updatePremiumFlags(ask, step.wishes)
    case 'set traits':
      return facts.setTraits(ask, step.traits)
    case 'change date of birth':
      return facts.changeDateOfBirth(ask, step.date)
    case 'set bot status':
      return facts.setBotStatus(ask, step.bot)
    case 'set system status':
      return facts.setSystemStatus(ask, step.system)
    case 'set ACLs':
      return facts.setAcls(ask, step.acls)
    case 'change username':
      return rename(run, ask, step)
    case 'change email':
      return contacts.changeEmail(ask, step.email ?? `${ask.world.fresh('M')}@example.org`)
    case 'verify email':
      return contacts.verifyEmail(ask)
    case 'resend verification':
      return contacts.resendVerification(ask)
    case 'send password reset':
      return contacts.sendPasswordReset(ask)
    case 'create reset link':
      return contacts.createResetLink(ask)
    case 'delete recovery kit':
      return contacts.deleteRecoveryKit(ask)
    case 'clear profile fields':
      return contacts.clearProfileFields(ask, step.fields)
    default:
      return undefined
  }
}

function rename(run: Run, ask: Ask, step: Extract<AdminStep, { readonly op: 'change username' }>): AdminPlay {
  const { username, discriminator } = step
  if (username === null || typeof username === 'string')
    return changeUsername(ask, username ?? ask.world.fresh('n'), discriminator)
  const other = ask.world.accounts.get(run.idOf(username.of))
  const tag = username.tag ? String(other?.discriminator) : discriminator
  return changeUsername(ask, String(other?.username), tag)
}

type Act = Extract<
  AdminStep,
  {
    readonly op:
      | 'ban'
      | 'lift ban'
      | 'schedule deletion'
      | 'cancel deletion'
      | 'terminate sessions'
      | 'remove relationships'
      | 'remove one relationship'
      | 'delete passkey'
      | 'disable MFA'
      | 'delete all messages'
      | 'shred messages'
      | 'cancel scheduled deletion'
      | 'trigger archive'
  }
>

function actOf(run: Run, ask: Ask, step: AdminStep): AdminPlay & { readonly after?: () => Promise<void> } {
  const act = step as Act
  switch (act.op) {
    case 'ban':
      return lifeCycle.banUser(ask, act.wishes)
    case 'lift ban':
      return lifeCycle.liftBan(ask, act.wishes)
    case 'schedule deletion':
      return lifeCycle.scheduleDeletion(ask, { ...act.wishes, ...expected(ask, act.expects) })
    case 'cancel deletion':
      return lifeCycle.cancelDeletion(ask, { ...act.wishes, ...expected(ask, act.expects) })
    case 'terminate sessions':
      return lifeCycle.terminateSessions(ask)
    case 'remove relationships':
      return people.removeRelationships(ask, act.category)
    case 'remove one relationship':
      return people.removeOneRelationship(ask, run.idOf(act.other), act.category)
    case 'delete passkey':
      return people.deletePasskey(ask, (act.which === 'first' && accountOf(ask)?.passkeys[0]) || 'unknown')
    case 'disable MFA':
      return people.disableMfa(ask)
    case 'delete all messages':
      return messages.deleteAllMessages(ask, act.dryRun, run.jobEnded)
    case 'shred messages':
      return messages.shredMessages(ask, act.of.map(run.messageOf), run.jobEnded)
    case 'cancel scheduled deletion':
      return messages.cancelScheduledDeletion(ask)
    case 'trigger archive':
      return messages.triggerArchive(ask, act.includes)
  }
}

const accountOf = ({ world, id }: Ask): ModelAccount | undefined => world.accounts.get(id)

function named(ask: Ask) {
  const account = accountOf(ask)
  return ({ selector, names }: NamedSelector): readonly [string, unknown] => {
    const values = {
      id: account?.id ?? unknownId,
      tag: account ? tagOf(account) : 'nobody#0001',
      username: account?.username ?? 'nobody_at_all',
      email: account?.email ?? 'nobody@example.org',
      unknown: unknownId,
    }
    return [selector, selector === 'user_id' ? [values[names]] : values[names]]
  }
}

function expected(ask: Ask, expects: Pending): { readonly expected_pending_deletion_at?: string } {
  const current = accountOf(ask)?.deletion?.at
  if (expects === 'another') return { expected_pending_deletion_at: '2040-01-01T00:00:00.000Z' }
  return expects === 'none' || current === undefined ? {} : { expected_pending_deletion_at: current }
}
