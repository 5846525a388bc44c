import { guildId, type GuildId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'

/** The guild that an operator names by its id. Throws for what is none; whether there is such a guild is not checked. */
export function guildIn(text: string): GuildId {
  const parsed = parseSnowflake(text)
  if (!parsed.ok) throw new Error(`${text} is not the id of a guild`)
  return guildId(parsed.id)
}
