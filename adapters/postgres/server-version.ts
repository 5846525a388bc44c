import type { ClientBase } from 'pg'
import { z } from 'zod'

/**
 * The oldest major version that is supported. The embedded one needs it: the builtin locale provider, which sorts strings the same
 * way on every host, came with it. Older servers behind DATABASE_URL are not tested (decision 110).
 */
export const postgresMajor_min = 17

/** The Postgres is older than `postgresMajor_min`. */
export class PostgresTooOld extends Error {
  override readonly name = 'PostgresTooOld'
}

/** The database has an encoding that can't hold every text. */
export class OtherEncoding extends Error {
  override readonly name = 'OtherEncoding'
}

const encodingRow = z.object({ server_encoding: z.string() })
const versionRow = z.object({ server_version: z.string() })

/** The version of the server, as in `17.4`. Rejects with PostgresTooOld. */
export async function supportedVersion(client: Pick<ClientBase, 'query'>): Promise<string> {
  const { rows } = await client.query('show server_version')
  const { server_version: version } = versionRow.parse(rows[0])
  if (Number.parseInt(version, 10) >= postgresMajor_min) return version
  throw new PostgresTooOld(
    `it is Postgres ${version}, and Guildhall needs ${postgresMajor_min} or later: upgrade it, or unset DATABASE_URL for the embedded one`,
  )
}

/** Rejects with OtherEncoding unless the database is in UTF-8: in another one, what people write fails one text at a time. */
export async function refuseOtherEncoding(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query('show server_encoding')
  const { server_encoding: encoding } = encodingRow.parse(rows[0])
  if (encoding !== 'UTF8')
    throw new OtherEncoding(
      `the database is in ${encoding}, and Guildhall needs UTF8: make another one (create database guildhall encoding 'UTF8' template template0), and name that`,
    )
}
