import { expect } from 'vitest'
import { refuse } from '../../support/outcomes.ts'
import { instant, resolvedUser, type Body, type Category } from '../account.ts'
import {
  at,
  entryOf,
  faultsOf,
  read,
  readable,
  sees,
  target,
  targetWithin,
  userUpdate,
  type AdminPlay,
  type Ask,
  type Told,
} from '../play.ts'
import { removeRelationship, type AdminWorld } from '../world.ts'

/** Relationships, sessions, WebAuthn credentials and second factors. */

const lists = {
  friends: 'friend',
  incoming_requests: 'incoming_request',
  outgoing_requests: 'outgoing_request',
  blocked: 'blocked',
} as const satisfies Readonly<Record<string, Category>>

export function listRelationships(ask: Ask): AdminPlay {
  return {
    method: 'GET',
    path: at(ask.id, '/relationships'),
    acls: ['user:list:relationships'],
    faults: faultsOf(ask),
    judge() {
      const held = [...(readable(ask)?.relationships ?? [])]
      const inList = (category: Category) => held.filter(([, each]) => each === category)
      const answer = Object.entries(lists).map(([name, category]) => [
        name,
        inList(category).map(([other]) => relationship(ask.world, other, category)),
      ])
      return read(ask, 'list_user_relationships', Object.fromEntries(answer) as Body, {
        friend_count: String(inList('friend').length),
        incoming_request_count: String(inList('incoming_request').length),
        outgoing_request_count: String(inList('outgoing_request').length),
        blocked_count: String(inList('blocked').length),
      })
    },
  }
}

function relationship({ accounts }: AdminWorld, other: string, category: Category): Body {
  const account = accounts.get(other)
  const since = expect.toBeOneOf([null, instant])
  return { target_user_id: other, category, nickname: null, since, target: account ? resolvedUser(account) : null }
}

const removals = (heard: readonly { readonly to: string; readonly id: string }[]): readonly Told[] =>
  heard.map(({ to, id }) => ({ to, t: 'RELATIONSHIP_REMOVE', d: { id } }))

const isCategory = (text: string): boolean => Object.values(lists).some((category) => category === text)

export function removeRelationships(ask: Ask, category: string): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, '/relationships'),
    body: { category },
    acls: ['user:remove:relationship'],
    faults: faultsOf(ask, !isCategory(category) && 'category'),
    judge() {
      const account = target(ask)
      const others = [...account.relationships].filter(([, each]) => each === category).map(([other]) => other)
      let heard: readonly Told[] = []
      return {
        status: 200,
        settle() {
          heard = removals(others.flatMap((other) => removeRelationship(ask.world, account, other)))
          return { removed_count: others.length }
        },
        entries: () => [
          entryOf(ask, 'remove_relationships_by_category', { category, removed_count: String(others.length) }),
        ],
        tells: () => heard,
      }
    },
  }
}

export function removeOneRelationship(ask: Ask, other: string, category: string): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, `/relationships/${other}`),
    body: { category },
    acls: ['user:remove:relationship'],
    faults: faultsOf(ask, !isCategory(category) && 'category', !/^\d+$/.test(other) && 'target_user_id'),
    judge() {
      const account = target(ask)
      if (account.relationships.get(other) !== category) refuse('UNKNOWN_USER')
      let heard: readonly Told[] = []
      return {
        status: 204,
        settle() {
          heard = removals(removeRelationship(ask.world, account, other))
        },
        entries: () => [entryOf(ask, 'remove_relationship', { target_user_id: other, category })],
        tells: () => heard,
      }
    },
  }
}

/** Active before terminated. Nobody looks up names of addresses on the test's server. */
export function listSessions(ask: Ask): AdminPlay {
  return {
    method: 'GET',
    path: at(ask.id, '/sessions'),
    acls: ['user:list:sessions'],
    faults: faultsOf(ask),
    judge() {
      const all = readable(ask)?.sessions ?? []
      const ordered = [...all.filter(({ ended }) => !ended), ...all.filter(({ ended }) => ended)]
      const session = {
        session_id_hash: expect.stringMatching(/^[\w-]{8,256}$/),
        created_at: instant,
        approx_last_used_at: instant,
        client_ip: sees(ask.actor)('user:view:ip') ? expect.stringMatching(/^127\.0\.0\.1$/) : '[redacted]',
        client_ip_reverse: null,
        client_os: null,
        client_platform: null,
        client_location: null,
      }
      const sessions = ordered.map(({ ended }) => ({ ...session, deleted_at: ended ? instant : null }))
      const { settle: _, ...verdict } = read(ask, 'list_user_sessions', {}, { session_count: String(all.length) })
      return {
        ...verdict,
        settle(answer) {
          expectNewestFirst(answer['sessions'] as readonly Body[])
          return { sessions }
        },
      }
    },
  }
}

function expectNewestFirst(sessions: readonly Body[]): void {
  for (const isLive of [true, false]) {
    const group = sessions.filter(({ deleted_at: end }) => (end === null) === isLive)
    const beginnings = group.map(({ created_at: at_ }) => String(at_))
    expect(beginnings).toStrictEqual(beginnings.toSorted().toReversed())
  }
}

const credentialObject = (id: string): Body => ({
  id,
  name: expect.any(String),
  created_at: instant,
  last_used_at: expect.toBeOneOf([null, instant]),
})

export function listPasskeys(ask: Ask): AdminPlay {
  return {
    method: 'GET',
    path: at(ask.id, '/webauthn-credentials'),
    acls: ['user:update:mfa'],
    faults: faultsOf(ask),
    judge() {
      const passkeys = (readable(ask)?.passkeys ?? []).map(credentialObject)
      return read(ask, 'list_webauthn_credentials', passkeys, { credential_count: String(passkeys.length) })
    },
  }
}

export function deletePasskey(ask: Ask, credential: string): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, `/webauthn-credentials/${credential}`),
    acls: ['user:update:mfa'],
    faults: faultsOf(ask, credential.length > 512 && 'credential_id'),
    judge() {
      const account = targetWithin(ask)
      const index = account.passkeys.indexOf(credential)
      if (index === -1) refuse('UNKNOWN_USER')
      const isLastChosen = account.passkeys.length === 1 && account.choosesPasskeys
      return {
        status: 204,
        settle() {
          account.passkeys.splice(index, 1)
          if (isLastChosen) account.choosesPasskeys = false
        },
        entries: () => [entryOf(ask, 'delete_webauthn_credential', { credential_id: credential })],
        tells: () => [
          ...(isLastChosen ? [userUpdate(account)] : []),
          { to: account.id, t: 'WEBAUTHN_CREDENTIALS_UPDATE', d: account.passkeys.map((id) => ({ id })) },
        ],
      }
    },
  }
}

/** TOTP and the choice of passkeys are two facts: User Update follows each that ends, or the act if none does. */
export function disableMfa(ask: Ask): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, '/mfa'),
    acls: ['user:update:mfa'],
    faults: faultsOf(ask),
    judge() {
      const account = targetWithin(ask)
      const ending = [account.hasTotp, account.choosesPasskeys].filter(Boolean)
      return {
        status: 204,
        settle() {
          account.hasTotp = false
          account.choosesPasskeys = false
        },
        entries: () => [entryOf(ask, 'disable_mfa')],
        tells: () => (ending.length === 0 ? [true] : ending).map(() => userUpdate(account)),
      }
    },
  }
}
