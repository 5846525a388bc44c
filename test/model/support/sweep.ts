import { listOf } from '../../operations/support/answers.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import { sweepGroups } from '../private/private-channels.ts'
import { proven, type Stage } from './stage.ts'

/** Removes everybody’s guilds and groups, so that the next run begins with none. */
export async function sweep(stage: Stage): Promise<void> {
  const { guildhall, cast, send } = stage
  await sweepGroups(stage)
  for (const caller of cast.people) {
    const guilds = listOf(await send(caller, { method: 'GET', path: '/v1/users/@me/guilds' }))
    for (const guild of guilds) {
      if (guild['owner_id'] !== caller.person?.id) continue
      const id = String(guild['id'])
      const context = testContext()
      await guildhall.ports.aggregates.guild.execute(
        guildId(snowflake(id)),
        { type: 'SetFeatures', features: [] },
        context,
      )
      await guildhall.readModels.reached(context.written)
      const { proof, headers } = proven(cast, caller, { proof: 'right' })
      const { status } = await send(caller, { method: 'POST', path: `/v1/guilds/${id}/delete`, body: proof, headers })
      if (status !== 204) throw new Error(`Guild ${id} could not be swept away: ${status}`)
    }
  }
}
