import { auditValues, updateEntries } from '../news/entries.ts'
import { entriesTold, guildUpdated } from '../news/told.ts'
import type { ModelCaller } from '../support/cast.ts'
import { done, refuseFields, type Play } from '../support/outcomes.ts'
import { authenticated, guildFor, requirePermission } from '../support/rules.ts'
import type { ModelGuild, World } from '../support/world.ts'

/** Get and Modify guild custom invite URL. */

export function getCustomUrl(world: World, caller: ModelCaller, id: string): Play {
  return {
    method: 'GET',
    path: `/v1/guilds/${id}/vanity-url`,
    judge() {
      const person = authenticated(caller)
      const guild = guildFor(world, person, id)
      requirePermission(guild, person, 'MANAGE_GUILD')
      return done(200, () => ({ code: guild.customCode, uses: guild.customUses }))
    },
  }
}

/** `undefined` sends no code, which leaves the code as it is. */
export function modifyCustomUrl(world: World, caller: ModelCaller, id: string, asked: string | null | undefined): Play {
  return {
    method: 'PATCH',
    path: `/v1/guilds/${id}/vanity-url`,
    body: asked === undefined ? {} : { code: asked },
    judge() {
      const person = authenticated(caller)
      const code = typeof asked === 'string' ? normalised(asked) : asked
      const guild = guildFor(world, person, id)
      requirePermission(guild, person, 'MANAGE_GUILD')
      if (typeof code === 'string' && code !== guild.customCode) checkFree(world, guild, code)
      const before = auditValues(guild)
      const written = done(200, () => {
        if (code !== undefined && code !== guild.customCode) hold(world, guild, code)
        return { code: guild.customCode }
      })
      const records = () => updateEntries(guild, before, person.id)
      const tells = () =>
        records().length === 0 ? [] : [...guildUpdated(world, guild), ...entriesTold(world, guild, records())]
      return { ...written, touches: id, records, tells }
    },
  }
}

function hold(world: World, guild: ModelGuild, code: string | null): void {
  guild.customCode = code
  guild.customUses = 0
  if (code !== null) world.note(code)
}

/** The form of a code is checked with the rest of the body, before the guild. */
function normalised(asked: string): string {
  const code = asked.toLowerCase().replaceAll(/\s+/g, '-').replaceAll(/-+/g, '-')
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(code)) refuseFields(['code VANITY_URL_INVALID_CHARACTERS'])
  if (code.length < 2 || code.length > 32) refuseFields(['code VANITY_URL_CODE_LENGTH_INVALID'])
  if (code.includes('guildhall')) refuseFields(['code VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME'])
  return code
}

/** Every fault of the code gets an error. */
function checkFree(world: World, guild: ModelGuild, code: string): void {
  const faults = [
    ...(guild.customCode !== code && isTaken(world, code) ? ['code VANITY_URL_CODE_ALREADY_TAKEN'] : []),
    ...(guild.features.has('VANITY_URL') ? [] : ['code VANITY_URL_REQUIRES_FEATURE']),
  ]
  if (faults.length > 0) refuseFields(faults)
}

function isTaken({ guilds, invites }: World, code: string): boolean {
  return (
    guilds.some(({ customCode }) => customCode === code) || invites.some((invite) => invite.code.toLowerCase() === code)
  )
}
