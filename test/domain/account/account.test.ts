import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { RegisterAccount } from '../../../domain/account/commands.ts'
import { accountEvents, type AccountEvent } from '../../../domain/account/events.ts'
import { newProfile } from '../../../domain/account/profile.ts'
import { noSecondFactors } from '../../../domain/account/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { noPremium } from '../../../domain/premium/premium.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { identity, registered, signedIn, signedOut } from './account-story.ts'
import { laws } from '../../support/laws.ts'
import { botCommands } from '../../../domain/testing/commands/application-commands.ts'

laws('account', fc.oneof(accountCommands, botCommands))

const register: RegisterAccount = { type: 'RegisterAccount', ...identity, now: start }
const signIn = (tokenHash: string) =>
  ({ type: 'StartSession', tokenHash, ip: '::1', userAgent: null, now: start }) as const
const signOut = (tokenHash: string) => ({ type: 'EndSession', tokenHash }) as const
const grant = (...acls: readonly string[]) => ({ type: 'GrantAcls', accountId: ada, acls }) as const

const granted = (...acls: readonly string[]): AccountEvent => ({ type: 'AclsGranted', data: { accountId: ada, acls } })

describe('registering an account', () => {
  it('makes an account with neither sessions nor ACLs', () => {
    given(account, []).when(register).then(registered)
    const { accountId, globalName, ...rest } = identity
    expect(fold(account, [registered])).toStrictEqual({
      status: 'registered',
      id: accountId,
      ...rest,
      profile: newProfile(globalName),
      registeredAt: start,
      admission: 'admitted',
      addressChanges: 0,
      standingChanges: [],
      emailBounced: false,
      acls: [],
      aclGains: 0,
      flags: '0',
      premiumFlags: 0,
      premium: noPremium,
      traits: [],
      bot: false,
      system: false,
      botOwnerId: null,
      termsAcceptedAt: null,
      sessions: [],
      authorizedNetworks: [],
      signInNetworks: null,
      latestSignIn: null,
      bannedUntil: null,
      deletion: null,
      messageDeletion: null,
      secondFactors: noSecondFactors,
      recoveryKit: null,
      credentialVersion: 0,
      delegationVersion: 0,
      voiceActivitySharing: null,
      singleSignOn: [],
    })
  })

  it('keeps nothing of the command but what an account has', () => {
    const careless = { ...register, password: 'correct horse' }
    given(account, []).when(careless).then(registered)
  })

  it('is done once, however often it is asked for', () => {
    given(account, [registered]).when(register).changesNothing()
    given(account, [registered, signedIn('h1'), granted('*')])
      .when(register)
      .changesNothing()
  })

  it('never happens on an id that was taken', () => {
    given(account, [registered])
      .when({ ...register, now: secondsAfter(start, 1) })
      .refuses('CONFLICT')
    given(account, [registered])
      .when({ ...register, accountId: grace })
      .refuses('CONFLICT')
  })

  it('goes on without what is personal once the key of the account is destroyed', () => {
    const erased: AccountEvent = {
      type: 'AccountRegistered',
      data: { ...identity, email: null, passwordHash: null, dateOfBirth: null, registeredAt: start },
    }
    expect(fold(account, [erased])).toMatchObject({
      username: 'Ada',
      email: null,
      passwordHash: null,
      dateOfBirth: null,
    })
  })
})

describe('a session', () => {
  it('starts for an account that is there', () => {
    given(account, [registered]).when(signIn('h1')).then(signedIn('h1'))
    given(account, []).when(signIn('h1')).refuses('UNKNOWN_USER')
  })

  it('starts once', () => {
    given(account, [registered, signedIn('h1')])
      .when(signIn('h1'))
      .changesNothing()
    expect(fold(account, [registered, signedIn('h1'), signedIn('h1')])).toMatchObject({ sessions: ['h1'] })
  })

  it('is one of several', () => {
    given(account, [registered, signedIn('h1')])
      .when(signIn('h2'))
      .then(signedIn('h2'))
    const state = fold(account, [registered, signedIn('h1'), signedIn('h2'), signedIn('h3'), signedOut('h2')])
    expect(state).toMatchObject({ sessions: ['h1', 'h3'] })
  })

  it('ends, and ending one that is not there changes nothing', () => {
    given(account, [registered, signedIn('h1')])
      .when(signOut('h1'))
      .then(signedOut('h1'))
    given(account, [registered, signedIn('h1')])
      .when(signOut('h2'))
      .changesNothing()
    given(account, [registered, signedIn('h1'), signedOut('h1')])
      .when(signOut('h1'))
      .changesNothing()
    given(account, []).when(signOut('h1')).changesNothing()
  })
})

describe('granting ACLs', () => {
  it('adds to those that the account holds, sorted, each once', () => {
    given(account, [registered])
      .when(grant('b', '*', 'b'))
      .then(granted('*', 'b'))
    given(account, [registered, granted('b')])
      .when(grant('c', 'a'))
      .then(granted('a', 'b', 'c'))
  })

  it('changes nothing for ACLs that the account holds', () => {
    given(account, [registered, granted('a', 'b')])
      .when(grant('b', 'a'))
      .changesNothing()
    given(account, [registered]).when(grant()).changesNothing()
  })

  it('is refused if there is no account', () => {
    given(account, []).when(grant('*')).refuses('UNKNOWN_USER')
  })
})

describe('setting ACLs', () => {
  const set = (...acls: readonly string[]) => ({ type: 'SetAcls', acls }) as const
  const isSet = (...acls: readonly string[]): AccountEvent => ({ type: 'AclsSet', data: { accountId: ada, acls } })

  it('replaces those that the account holds, in the order given, each once', () => {
    given(account, [registered, granted('a', 'b')])
      .when(set('c', 'a', 'c'))
      .then(isSet('c', 'a'))
    given(account, [registered, isSet('c', 'a')])
      .when(set())
      .then(isSet())
  })

  it('counts each time that the account gains an ACL, and no loss', () => {
    const gainsAfter = (...events: readonly AccountEvent[]): number => {
      const state = fold(account, [registered, ...events])
      return state.status === 'registered' ? state.aclGains : Number.NaN
    }
    expect(gainsAfter()).toBe(0)
    expect(gainsAfter(granted('a'), granted('a', 'b'))).toBe(2)
    expect(gainsAfter(isSet('a', 'b'), isSet('a'), isSet())).toBe(1)
    expect(gainsAfter(isSet('a'), isSet(), isSet('a'))).toBe(2)
  })

  it('changes nothing for the very set that the account holds', () => {
    given(account, [registered, isSet('c', 'a')])
      .when(set('c', 'a', 'a'))
      .changesNothing()
    given(account, [registered]).when(set()).changesNothing()
  })

  it('is refused if there is no account', () => {
    given(account, []).when(set('*')).refuses('UNKNOWN_USER')
  })
})

describe('in whatever happens to an account', () => {
  property(
    'sessions are what was started and not ended, each once',
    histories(account, accountCommands),
    ({ state, events }) => {
      const live = new Set<string>()
      for (const { type, data } of events) {
        if (type === 'SessionStarted') live.add(data.tokenHash)
        if (type === 'SessionEnded') live.delete(data.tokenHash)
      }
      expect(state.status === 'registered' ? state.sessions : []).toStrictEqual([...live])
    },
  )

  property(
    'ACLs are held once each, and granting takes none away',
    histories(account, accountCommands),
    ({ steps }) => {
      for (const { before, command, after } of steps) {
        if (before.status !== 'registered' || after.status !== 'registered') continue
        expect(new Set(after.acls).size).toBe(after.acls.length)
        if (command.type === 'SetAcls') expect(after.acls).toStrictEqual([...new Set(command.acls)])
        else for (const acl of before.acls) expect(after.acls).toContain(acl)
      }
    },
  )

  it('ignores events of an account that does not exist', () => {
    expect(fold(account, [signedIn('h1'), signedOut('h1'), granted('*')])).toStrictEqual({ status: 'absent' })
  })
})

describe('the personal data of an account', () => {
  it('is encrypted with the key of the account that the stream is named after', () => {
    expect(account.subjectOf?.(ada, {})).toBe(ada)
  })

  it('is its display name, e-mail address, password hash and date of birth, and whence it signed in', () => {
    expect(accountEvents.AccountRegistered.personal).toStrictEqual([
      'globalName',
      'email',
      'passwordHash',
      'dateOfBirth',
      'clientIp',
    ])
    expect(accountEvents.SessionStarted.personal).toStrictEqual(['ip', 'userAgent'])
  })
})
