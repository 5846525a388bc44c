import pg from 'pg'

/**
 * What every session of the product has, whatever an operator has set for the database or the role: what is read and how
 * statements behave depends on it. The client itself asks for UTF-8.
 */
const pinned: Readonly<Record<string, string>> = {
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  search_path: 'public',
}

/** A connection with the pinned settings and those of `session`. Every pool and every client of the product is made with it. */
export function pinnedSession(
  { connectionString, ...connection }: pg.PoolConfig,
  session: Readonly<Record<string, string>> = {},
): pg.PoolConfig {
  const { address, given } = withoutOptions(connectionString)
  const own = Object.entries({ ...pinned, ...session }).map(([name, value]) => `-c ${name}=${escaped(value)}`)
  return {
    ...connection,
    ...(address !== undefined && { connectionString: address }),
    // Of two that name one setting, Postgres takes the later one.
    options: [...given, ...own].join(' '),
  }
}

/** A client of its own, for what no pool is opened for. Not connected yet. */
export function openClient(connection: pg.ClientConfig, config: pg.ClientConfig = {}): pg.Client {
  return new pg.Client({ ...pinnedSession(connection), ...config })
}

/** The client would take the options in an address instead of ours. */
function withoutOptions(connectionString: string | undefined) {
  if (connectionString === undefined || !URL.canParse(connectionString)) return { address: connectionString, given: [] }
  const url = new URL(connectionString)
  const given = url.searchParams.getAll('options')
  if (given.length === 0) return { address: connectionString, given }
  url.searchParams.delete('options')
  return { address: url.href, given }
}

const escaped = (value: string): string => value.replaceAll(/[\\ ]/g, (character) => `\\${character}`)
