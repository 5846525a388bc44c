import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { snowflake, type Snowflake } from '../../domain/ids/snowflake.ts'

const idRow = z.object({ id: z.string().nullable() })

/** The highest id of an account, application, guild, private channel or thread; undefined if there are none. */
export async function highestId(database: Queries): Promise<Snowflake | undefined> {
  const { id } = await database.one(sql.type(idRow)`
    select greatest(
      (select max(id) from accounts.accounts), (select max(id) from applications.applications),
      (select max(id) from guilds.guilds), (select max(id) from private_channels.channels),
      (select max(id) from threads.threads)) as id`)
  return id === null ? undefined : snowflake(id)
}
