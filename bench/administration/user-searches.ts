import { commonBeginning, type LaidAccount } from './lay-accounts.ts'

/** A kind of search: its query for an account, and the bare statement that finds as much. */
export interface UserSearch {
  readonly name: string
  /** The bound of its p99 among 1,000,000 accounts. */
  readonly p99_ms_max: number
  /** Whether it names one account exactly: then more accounts must hardly make it slower. */
  readonly isExact: boolean
  readonly query: (account: LaidAccount) => Readonly<Record<string, string>>
  readonly statement: (account: LaidAccount) => Statement
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

const [exact_ms_max, other_ms_max] = [60, 250]
const page = 50

/** The rows of a page of ids. */
const shown = (ids: string) => `select * from accounts.accounts where id = any(${ids})`
const one = (condition: string, value: (account: LaidAccount) => unknown) => (account: LaidAccount) => ({
  text: `select * from accounts.accounts where ${condition}`,
  values: [value(account)],
})

function exact(name: string, query: UserSearch['query'], statement: UserSearch['statement']): UserSearch {
  return { name, p99_ms_max: exact_ms_max, isExact: true, query, statement }
}

/** The matches of a text are counted, and the newest of them read. */
function byText(
  name: string,
  p99_ms_max: number,
  textOf: (account: LaidAccount) => string,
  anywhere = true,
): UserSearch {
  return {
    name,
    p99_ms_max,
    isExact: false,
    query: (account) => ({ q: textOf(account) }),
    statement(account) {
      const text = textOf(account).replaceAll('_', '\\_')
      const found = 'from account_search.accounts where username like $1 or email like $2'
      return {
        text: `select (select count(*) ${found}), array(select id ${found} order by id desc limit ${page})`,
        values: [anywhere ? `%${text}%` : `${text}%`, `${text}%`],
      }
    },
  }
}

function everyAccount(name: string, p99_ms_max: number, offset: number): UserSearch {
  const ids = `array(select id from account_search.accounts order by id desc limit ${page} offset $1)`
  return {
    name,
    p99_ms_max,
    isExact: false,
    query: () => ({ offset: String(offset) }),
    statement: () => ({ text: shown(ids), values: [offset] }),
  }
}

const letters = ({ username }: LaidAccount): string => username.replace(commonBeginning, '')

export const userSearches: readonly UserSearch[] = [
  exact(
    'user_id',
    ({ id }) => ({ user_id: id }),
    one('id = $1', ({ id }) => id),
  ),
  exact(
    'resolve, id',
    ({ id }) => ({ resolve: id }),
    one('id = $1', ({ id }) => id),
  ),
  exact(
    'resolve, tag',
    ({ username, discriminator }) => ({ resolve: `${username}#${discriminator}` }),
    ({ username, discriminator }) => ({
      text: 'select * from accounts.accounts where lower(username) = $1 and discriminator = $2',
      values: [username, discriminator],
    }),
  ),
  exact(
    'email',
    ({ email }) => ({ email }),
    one('id = (select id from account_search.accounts where email = $1)', ({ email }) => email),
  ),
  exact(
    'last_active_ip',
    ({ ip }) => ({ last_active_ip: ip }),
    one('id = (select account_id from accounts.last_addresses where ip = $1)', ({ ip }) => ip),
  ),
  byText('q of 8 characters', exact_ms_max, (account) => letters(account).slice(0, 8)),
  byText('q of 3 characters', other_ms_max, (account) => letters(account).slice(1, 4)),
  byText('q of 3 common characters', other_ms_max, () => commonBeginning.slice(0, 3)),
  byText('q of 2 characters', other_ms_max, (account) => letters(account).slice(0, 2), false),
  byText('q of digits', other_ms_max, ({ id }) => id),
  everyAccount('no selector', exact_ms_max, 0),
  everyAccount('no selector, offset 100,000', other_ms_max, 100_000),
]
