import { expect } from 'vitest'
import { refuse, refuseFields } from '../../support/outcomes.ts'
import { instant, type Body, type ModelAccount } from '../account.ts'
import { noteMail } from '../mails.ts'
import {
  at,
  changed,
  entryOf,
  expectAfter,
  faultsOf,
  memberUpdate,
  sees,
  target,
  targetWithin,
  userUpdate,
  type AdminPlay,
  type Ask,
  type Verdict,
} from '../play.ts'

/** Username, e-mail address, recovery, profile fields, and the log of changes. */

/** A change that leaves the value as it was is no entry. */
export function log(
  account: ModelAccount,
  field: 'email' | 'fluxer_tag',
  before: string | null,
  after: string,
  { actor }: Pick<Ask, 'actor'>,
): void {
  if (before !== after) account.changes.push({ field, before, after, actor: actor.id })
}

export function changeEmail(ask: Ask, email: string): AdminPlay {
  const normal = email.trim().toLowerCase()
  return {
    method: 'PATCH',
    path: at(ask.id, '/email'),
    body: { email },
    acls: ['user:update:email'],
    faults: faultsOf(ask, !/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(normal) && 'email', normal.length > 254 && 'email'),
    judge() {
      requireAddresses(ask)
      const account = targetWithin(ask)
      const before = account.email
      return changed(ask, account, {
        action: 'change_email',
        change: () => {
          account.email = normal
          ask.world.addresses.add(normal)
          account.emailVerified = false
          log(account, 'email', before, normal, ask)
        },
        metadata: () => ({ old_email: before ?? 'null', new_email: normal }),
      })
    },
  }
}

export function verifyEmail(ask: Ask): AdminPlay {
  return {
    method: 'PUT',
    path: at(ask.id, '/email-verification'),
    acls: ['user:update:email'],
    faults: faultsOf(ask),
    judge() {
      requireAddresses(ask)
      const account = targetWithin(ask)
      return changed(ask, account, {
        action: 'verify_email',
        change: () => {
          account.emailVerified = true
        },
        metadata: () => ({ email: account.email ?? 'null' }),
      })
    },
  }
}

/** The allowance of three mails is off on the test's server. */
export function resendVerification(ask: Ask): AdminPlay {
  return {
    method: 'POST',
    path: at(ask.id, '/verification-email'),
    acls: ['user:update:email'],
    faults: faultsOf(ask),
    judge() {
      requireAddresses(ask)
      if (target(ask).bot) refuse('BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
      return mailed(ask, targetWithin(ask), 'resend_verification_email', 'verification')
    },
  }
}

export function sendPasswordReset(ask: Ask): AdminPlay {
  return {
    method: 'POST',
    path: at(ask.id, '/password-reset'),
    acls: ['user:update:email'],
    faults: faultsOf(ask),
    judge() {
      requireAddresses(ask)
      return mailed(ask, targetWithin(ask), 'send_password_reset', 'reset')
    },
  }
}

function mailed(ask: Ask, account: ModelAccount, action: string, kind: 'verification' | 'reset'): Verdict {
  const { email } = account
  if (email === null) refuseFields(['email USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS'])
  return {
    status: 204,
    settle: () => {
      // A verified address needs no other token.
      if (kind === 'reset' || !account.emailVerified) noteMail(ask.world, account, kind)
    },
    entries: () => [entryOf(ask, action, { email })],
  }
}

/** On an instance where members sign in with a username, accounts have no addresses. */
function requireAddresses({ world }: Ask): void {
  if (world.signIn === 'username') refuse('EMAIL_UNAVAILABLE_ON_INSTANCE')
}

export function createResetLink(ask: Ask): AdminPlay {
  return {
    method: 'POST',
    path: at(ask.id, '/password-reset-link'),
    acls: ['user:create:password_reset_link'],
    faults: faultsOf(ask),
    judge() {
      requireUsernames(ask)
      if (target(ask).bot) refuse('BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
      targetWithin(ask)
      return {
        status: 200,
        settle: ({ expires_at: end }, window) => ({
          url: expect.stringMatching(/\/reset#token=[A-Za-z0-9]{64}$/),
          expires_at: expectAfter(end, window, 3_600_000),
        }),
        entries: () => [entryOf(ask, 'create_password_reset_link')],
      }
    },
  }
}

/** Also where the account has none. */
export function deleteRecoveryKit(ask: Ask): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, '/recovery-kit'),
    acls: ['user:delete:recovery_kit'],
    faults: faultsOf(ask),
    judge() {
      requireUsernames(ask)
      targetWithin(ask)
      return { status: 204, settle: () => undefined, entries: () => [entryOf(ask, 'revoke_recovery_kit')] }
    },
  }
}

function requireUsernames({ world }: Ask): void {
  if (world.signIn === 'email') refuse('USERNAME_SIGN_IN_ONLY')
}

const clearable = ['avatar', 'banner', 'bio', 'pronouns', 'global_name']

export function clearProfileFields(ask: Ask, fields: readonly string[]): AdminPlay {
  const unknown = fields.flatMap((field, index) => (clearable.includes(field) ? [] : [`fields.${index}`]))
  return {
    method: 'DELETE',
    path: at(ask.id, '/profile-fields'),
    body: { fields },
    acls: ['user:update:profile'],
    faults: faultsOf(ask, ...unknown, fields.length > 10 && 'fields'),
    judge() {
      const account = target(ask)
      const isShown = fields.includes('global_name') && account.globalName !== null
      return changed(ask, account, {
        action: 'clear_fields',
        change: () => {
          if (fields.includes('bio')) account.bio = null
          if (fields.includes('pronouns')) account.pronouns = null
          if (fields.includes('global_name')) account.globalName = null
        },
        metadata: () => ({ fields: fields.join(',') }),
        tells: () => [userUpdate(account), ...(isShown ? memberUpdate(ask.world, account) : [])],
      })
    },
  }
}

/** A page of the log; `token` is that of the page before, with the number of entries up to it. */
export interface LogPage {
  readonly limit?: number
  readonly token?: { readonly text: string; readonly skipped: number }
}

export function listChangeLog(
  ask: Ask,
  { limit, token }: LogPage,
  learn: (next: string | null, skipped: number) => void,
): AdminPlay {
  const query = [
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(token === undefined ? [] : [`page_token=${token.text}`]),
  ].join('&')
  const size = limit ?? 50
  return {
    method: 'GET',
    path: at(ask.id, `/change-log${query === '' ? '' : `?${query}`}`),
    acls: ['user:view:contact_log'],
    faults: faultsOf(ask, (size < 1 || size > 200) && 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'),
    judge() {
      const all = (ask.world.accounts.get(ask.id)?.changes ?? []).toReversed()
      const page = all.slice(token?.skipped ?? 0).slice(0, size)
      return {
        status: 200,
        settle(answer) {
          learn(answer['next_page_token'] as string | null, (token?.skipped ?? 0) + page.length)
          return {
            entries: page.map((change) => changeObject(ask, change)),
            next_page_token: page.length === size ? lastIdOf(answer) : null,
          }
        },
        entries: () => [
          entryOf(ask, 'list_user_change_log', {
            limit: String(size),
            entry_count: String(page.length),
            ...(token === undefined ? {} : { has_page_token: 'true' }),
          }),
        ],
      }
    },
  }
}

const lastIdOf = (answer: Body): unknown => (answer['entries'] as readonly Body[]).at(-1)?.['event_id']

function changeObject({ actor }: Ask, { field, before, after, actor: by }: ModelAccount['changes'][number]): Body {
  const isShown = field !== 'email' || sees(actor)('user:view:email')
  return {
    event_id: expect.stringMatching(/^\d+$/),
    field,
    old_value: isShown ? before : '[redacted]',
    new_value: isShown ? after : '[redacted]',
    reason: 'admin_action',
    actor_user_id: by,
    event_at: instant,
  }
}
