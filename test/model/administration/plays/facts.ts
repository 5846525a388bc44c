import { expect } from 'vitest'
import { refuse, refuseFields } from '../../support/outcomes.ts'
import { publicBits } from '../account.ts'
import {
  at,
  changed,
  endSessions,
  faultsOf,
  memberUpdate,
  sees,
  target,
  targetWithin,
  userUpdate,
  type AdminPlay,
  type Ask,
} from '../play.ts'

/** Flags, traits, date of birth, bot and system status, ACLs. */

export interface FlagWishes<Flag> {
  readonly add_flags?: readonly Flag[]
  readonly remove_flags?: readonly Flag[]
}

/** Lists that are empty are not recorded. */
function recorded<Flag>({ add_flags: add = [], remove_flags: remove = [] }: FlagWishes<Flag>, flags: string) {
  return {
    ...(add.length === 0 ? {} : { add_flags: add.join(',') }),
    ...(remove.length === 0 ? {} : { remove_flags: remove.join(',') }),
    new_flags: flags,
  }
}

const isWord = (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) < 1n << 64n

export function updateFlags(ask: Ask, wishes: FlagWishes<string>): AdminPlay {
  const { add_flags: add = [], remove_flags: remove = [] } = wishes
  const faults = [
    ...add.flatMap((word, index) => (isWord(word) ? [] : [`add_flags.${index}`])),
    ...remove.flatMap((word, index) => (isWord(word) ? [] : [`remove_flags.${index}`])),
  ]
  return {
    method: 'PATCH',
    path: at(ask.id, '/flags'),
    body: wishes,
    acls: ['user:update:flags'],
    faults: faultsOf(ask, ...faults, add.length > 64 && 'add_flags', remove.length > 64 && 'remove_flags'),
    judge() {
      const account = targetWithin(ask)
      const before = account.flags
      return changed(ask, account, {
        action: 'update_flags',
        change: () => {
          const added = add.reduce((all, word) => all | BigInt(word), account.flags)
          account.flags = remove.reduce((all, word) => all & ~BigInt(word), added)
        },
        metadata: () => recorded(wishes, account.flags.toString()),
        tells: () => {
          const isShown = (before & publicBits) !== (account.flags & publicBits)
          return [userUpdate(account), ...(isShown ? memberUpdate(ask.world, account) : [])]
        },
      })
    },
  }
}

export function updatePremiumFlags(ask: Ask, wishes: FlagWishes<number>): AdminPlay {
  const { add_flags: add = [], remove_flags: remove = [] } = wishes
  const isFlag = (flag: number): boolean => Number.isInteger(flag) && flag >= 0 && flag < 2 ** 32
  const faults = [
    ...add.flatMap((flag, index) => (isFlag(flag) ? [] : [`add_flags.${index}`])),
    ...remove.flatMap((flag, index) => (isFlag(flag) ? [] : [`remove_flags.${index}`])),
  ]
  return {
    method: 'PATCH',
    path: at(ask.id, '/premium-flags'),
    body: wishes,
    acls: ['user:update:flags'],
    faults: faultsOf(ask, ...faults),
    judge() {
      const account = target(ask)
      return changed(ask, account, {
        action: 'update_premium_flags',
        change: () => {
          const added = add.reduce((all, flag) => all | BigInt(flag), BigInt(account.premiumFlags))
          account.premiumFlags = Number(remove.reduce((all, flag) => all & ~BigInt(flag), added))
        },
        metadata: () => recorded(wishes, String(account.premiumFlags)),
      })
    },
  }
}

export function setTraits(ask: Ask, traits: readonly string[]): AdminPlay {
  const faults = traits.flatMap((each, index) => (each.length >= 1 && each.length <= 128 ? [] : [`traits.${index}`]))
  return {
    method: 'PUT',
    path: at(ask.id, '/traits'),
    body: { traits },
    acls: ['user:update:traits'],
    faults: faultsOf(ask, ...faults, traits.length > 100 && 'traits'),
    judge() {
      const account = target(ask)
      return changed(ask, account, {
        action: 'set_traits',
        change: () => {
          account.traits = [...new Set(traits)].toSorted((one, other) => (one < other ? -1 : 1))
        },
        metadata: () => (account.traits.length === 0 ? {} : { traits: account.traits.join(',') }),
      })
    },
  }
}

export function changeDateOfBirth(ask: Ask, date: string): AdminPlay {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date)
  return {
    method: 'PATCH',
    path: at(ask.id, '/date-of-birth'),
    body: { date_of_birth: date },
    acls: ['user:update:dob'],
    faults: faultsOf(ask, !isDay && 'date_of_birth'),
    judge() {
      const account = target(ask)
      const before = account.dateOfBirth
      return changed(ask, account, {
        action: 'change_dob',
        change: () => {
          account.dateOfBirth = date
        },
        metadata: () => ({ old_dob: before ?? 'null', new_dob: date }),
      })
    },
  }
}

export function setBotStatus(ask: Ask, bot: boolean): AdminPlay {
  return {
    method: 'PUT',
    path: at(ask.id, '/bot-status'),
    body: { bot },
    acls: ['user:update:bot_status'],
    faults: faultsOf(ask),
    judge() {
      const account = target(ask)
      if (bot && account.acls.length > 0) refuse('ACCESS_DENIED')
      const isChange = account.bot !== bot
      return changed(ask, account, {
        action: 'set_bot_status',
        change: () => {
          account.bot = bot
          if (!bot) account.system = false
          if (bot && isChange) endSessions(account)
        },
        metadata: () => ({ bot: String(bot) }),
        tells: () => [userUpdate(account), ...(isChange ? memberUpdate(ask.world, account) : [])],
        // Decision 78: a bot has no sessions of people.
        ...(bot && isChange ? { ends: account } : {}),
      })
    },
  }
}

export function setSystemStatus(ask: Ask, system: boolean): AdminPlay {
  return {
    method: 'PUT',
    path: at(ask.id, '/system-status'),
    body: { system },
    acls: ['user:update:bot_status'],
    faults: faultsOf(ask),
    judge() {
      const account = target(ask)
      if (system && !account.bot) refuseFields(['system USER_MUST_BE_A_BOT_TO_BE_MARKED_AS_A_SYSTEM_USER'])
      const isChange = account.system !== system
      return changed(ask, account, {
        action: 'set_system_status',
        change: () => {
          account.system = system
        },
        metadata: () => ({ system: String(system) }),
        tells: () => [userUpdate(account), ...(isChange ? memberUpdate(ask.world, account) : [])],
      })
    },
  }
}

/** `unknown` stands for a value outside of the registry. */
export function setAcls(ask: Ask, acls: readonly string[]): AdminPlay {
  return {
    method: 'PUT',
    path: at(ask.id, '/acls'),
    body: { acls },
    acls: ['acl:set:user'],
    faults: faultsOf(ask, ...acls.flatMap((acl, index) => (acl === 'unknown' ? [`acls.${index}`] : []))),
    judge() {
      // Nothing is promised of the order of the two, except that an unknown account comes before the bound.
      if (ask.id === ask.actor.id) refuse('ACCESS_DENIED')
      const account = target(ask)
      const bound = [...acls, ...account.acls].every(sees(ask.actor)) ? [] : ['MISSING_ACL']
      const ofBots = account.bot && acls.length > 0 ? ['ACCESS_DENIED'] : []
      if (bound.length + ofBots.length > 0) refuse(...bound, ...ofBots)
      return changed(ask, account, {
        action: 'set_acls',
        change: (_, { acls: stored }) => {
          // In stored order, which is not promised.
          expect(new Set(stored as readonly string[])).toStrictEqual(new Set(acls))
          expect(stored).toHaveLength(new Set(acls).size)
          account.acls = stored as readonly string[]
        },
        metadata: () => ({ acls: account.acls.join(',') }),
      })
    },
  }
}
