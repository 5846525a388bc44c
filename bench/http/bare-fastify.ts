import Fastify from 'fastify'
import { z } from 'zod'
import { answerParent } from '../support/child.js'
import { openPool } from '../support/pool.js'

/**
 * What a server does at least: Fastify as it comes, a pool, and one named statement a request. It neither authenticates nor
 * authorises, validates, limits, logs, audits or tells anybody.
 */
const setting = z.object({
  connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
  connections_max: z.int(),
  /** An answer of the product to Create channel invite: what is stored and answered here is as large. */
  invite: z.record(z.string(), z.unknown()),
})

const insertText = `insert into bench.invites (code, channel_id, max_uses, max_age, temporary, created_at, event)
  values ($1, $2, $3, $4, $5, now(), $6)`
const selectText = 'select body from bench.guilds where id = $1'

interface CreateInvite {
  readonly Params: { readonly channel: string }
  readonly Body: { readonly max_uses: number; readonly max_age: number; readonly temporary: boolean }
}

answerParent(async (asked) => {
  const { connection, connections_max, invite } = setting.parse(asked)
  const pool = openPool(connection, connections_max)
  const event = JSON.stringify(invite)
  const server = Fastify()
  let invites = 0

  server.post<CreateInvite>('/channels/:channel/invites', async ({ params, body }) => {
    const code = `${process.pid.toString(36)}-${(invites += 1).toString(36)}`
    const values = [code, params.channel, body.max_uses, body.max_age, body.temporary, event]
    await pool.query({ name: 'insert', text: insertText, values })
    return { ...invite, code }
  })

  server.get<{ readonly Params: { readonly guild: string } }>('/guilds/:guild', async ({ params }) => {
    const { rows } = await pool.query<{ readonly body: unknown }>({
      name: 'select',
      text: selectText,
      values: [params.guild],
    })
    return rows[0]?.body
  })

  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(url).port) }
})
