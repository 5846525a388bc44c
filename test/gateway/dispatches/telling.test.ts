import { describe, expect, it } from 'vitest'
import { deletedAccount } from '../../../application/wire-objects/identity/deleted-account.ts'
import {
  inTurn,
  prepared,
  telling,
  type Preparation,
  type Scene,
  type Telling,
} from '../../../gateway/dispatches/telling.ts'
import { same, type Dispatch } from '../../../gateway/dispatches/dispatch.ts'
import type { DispatchName } from '../../../gateway/protocol/dispatch-names.ts'
import { account } from '../../../domain/testing/people.ts'

const scene = {} as Scene
const [ada, grace] = [account(1), account(2)]

function dispatchOf(t: DispatchName): Dispatch {
  return { t, guildId: null, audience: { kind: 'sessions', sessions: [] }, body: same({}) }
}

/** The lookups that a telling is prepared with; `asked` are the accounts that were looked up, query by query. */
function sources() {
  const asked: (readonly string[])[] = []
  const lookups = {
    accountsOf: (ids: readonly (typeof ada)[]) => {
      asked.push(ids)
      return Promise.resolve(new Map(ids.map((id) => [id, deletedAccount(id)])))
    },
  }
  return { asked, given: { lookups } as unknown as Omit<Preparation, 'account'> }
}

describe('tellings of one event, in turn', () => {
  it('all look up what they need before the first one tells, and tell in their order', async () => {
    const steps: string[] = []
    const slow = (name: DispatchName): Telling => ({
      raises: [name],
      prepare: async () => {
        await new Promise(setImmediate)
        steps.push(`prepared ${name}`)
        return () => {
          steps.push(`told ${name}`)
          return [dispatchOf(name)]
        }
      },
    })
    const together = inTurn([slow('USER_UPDATE'), telling([], () => []), slow('GUILD_UPDATE')])
    expect(together.raises).toStrictEqual(['USER_UPDATE', 'GUILD_UPDATE'])
    const tell = await prepared(together, sources().given)
    expect(tell(scene).map(({ t }) => t)).toStrictEqual(['USER_UPDATE', 'GUILD_UPDATE'])
    expect(steps).toStrictEqual([
      'prepared USER_UPDATE',
      'prepared GUILD_UPDATE',
      'told USER_UPDATE',
      'told GUILD_UPDATE',
    ])
  })

  it('have their accounts looked up in one query', async () => {
    const shown: string[] = []
    const showing = (id: typeof ada): Telling => ({
      accounts: [id],
      raises: [],
      prepare: (preparation) => {
        shown.push(preparation.account(id).id)
        return () => []
      },
    })
    const { asked, given } = sources()
    await prepared(inTurn([showing(ada), showing(grace)]), given)
    expect(asked).toStrictEqual([[ada, grace]])
    expect(shown).toStrictEqual([ada, grace])
  })
})

describe('a telling', () => {
  it('that names no account looks up none', async () => {
    const { asked, given } = sources()
    await prepared(
      telling([], () => []),
      given,
    )
    expect(asked).toStrictEqual([])
  })

  it('fails if it shows an account that it did not name', async () => {
    const showing: Telling = {
      accounts: [ada],
      raises: ['READY', 'RESUMED'],
      prepare: (preparation) => () => [dispatchOf(preparation.account(grace).bot ? 'READY' : 'RESUMED')],
    }
    const tell = await prepared(showing, sources().given)
    expect(() => tell(scene)).toThrow('did not ask for')
  })

  it('fails if one of its lookups fails', async () => {
    const failing: Telling = { raises: [], prepare: () => Promise.reject(new Error('away')) }
    await expect(prepared(inTurn([telling([], () => []), failing]), sources().given)).rejects.toThrow('away')
  })
})
