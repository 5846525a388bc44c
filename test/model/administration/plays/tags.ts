import { expect } from 'vitest'
import { refuse, refuseFields } from '../../support/outcomes.ts'
import { hasPremium, tagOf, type ModelAccount } from '../account.ts'
import { at, changed, faultsOf, memberUpdate, targetWithin, userUpdate, type AdminPlay, type Ask } from '../play.ts'
import { log } from './contacts.ts'

const names = /^[A-Za-z0-9_]{1,32}$/
const reserved = /^(?:everyone|here)$|guildhall|system message/

export function changeUsername(ask: Ask, username: string, discriminator?: string): AdminPlay {
  const name = username.trim()
  const isName = names.test(name) && !reserved.test(name.toLowerCase())
  const isTag = discriminator === undefined || /^\d{1,4}$/.test(discriminator)
  return {
    method: 'PATCH',
    path: at(ask.id, '/username'),
    body: { username, discriminator },
    acls: ['user:update:username'],
    faults: faultsOf(ask, !isName && 'username', !isTag && 'discriminator'),
    judge() {
      const account = targetWithin(ask)
      const wished = wishedDiscriminator(ask, account, discriminator)
      const taken = othersWith(ask, name).map((other) => other.discriminator)
      if (isAlone(ask, account) && taken.length > 0) refuseFields(['username USERNAME_ALREADY_TAKEN'])
      if (wished !== undefined && taken.includes(wished)) refuse('TAG_ALREADY_TAKEN')
      const kept = wished ?? account.discriminator
      const before = { username: account.username, tag: tagOf(account) }
      const tellsBoth = () => [userUpdate(account), ...memberUpdate(ask.world, account)]
      return changed(ask, account, {
        action: 'change_username',
        change: (_, { discriminator: allocated }) => {
          if (taken.includes(kept)) expect(taken).not.toContain(allocated)
          else expect(allocated).toBe(kept)
          account.discriminator = Number(allocated)
          account.username = name
          log(account, 'fluxer_tag', before.tag, tagOf(account), ask)
        },
        metadata: () => ({
          old_username: before.username,
          new_username: name,
          discriminator: String(account.discriminator),
        }),
        tells: tellsBoth,
      })
    },
  }
}

/** The wish, if the account may choose; one of another is left aside. A bot may not have 0 where people have. */
function wishedDiscriminator(ask: Ask, account: ModelAccount, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (isAlone(ask, account))
    return Number(given) === 0 ? undefined : refuseFields(['discriminator DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'])
  if (!hasPremium(account)) return undefined
  if (Number(given) === 0 && ask.world.signIn === 'username')
    return refuseFields(['discriminator DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'])
  return Number(given)
}

/** On an instance without discriminators, a person has a username that nobody else has. */
const isAlone = ({ world }: Ask, { bot }: ModelAccount): boolean => world.signIn === 'username' && !bot

const othersWith = ({ world, id }: Ask, name: string): readonly ModelAccount[] =>
  [...world.accounts.values()].filter((other) => other.id !== id && other.username.toLowerCase() === name.toLowerCase())
