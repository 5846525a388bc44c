import Fastify from 'fastify'
import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { openPool } from '../support/pool.ts'

/**
 * The minimum work of a server: plain Fastify, a pool, and one named statement for each request. It has no authentication,
 * authorization, validation, limits, logs, audit log or notifications.
 */
const setting = z.object({
  connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
  connections_max: z.int(),
  /** An answer of the product to Create channel invite: rows and answers here have the same size. */
  invite: z.record(z.string(), z.unknown()),
})

const insertText = `insert into bench.invites (code, channel_id, max_uses, max_age, temporary, created_at, event)
  values ($1, $2, $3, $4, $5, now(), $6)`
const answerText = 'select body from bench.answers where path = $1'
const rowsText = 'select body from bench.rows where place = $1 order by id desc limit 50'
const messageText = 'insert into bench.messages (channel_id, body) values ($1, $2)'
const postText = 'insert into bench.messages (channel_id, body) values ($1, $2) returning id::text'
const readPostText = 'select id::text, body from bench.messages where id = $1'
const memberText = 'insert into bench.members (guild, body) values ($1, $2)'
const nameText = `insert into bench.names (guild, name) values ($1, $2)
  on conflict (guild) do update set name = excluded.name`
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

  // A read returns what was stored as the answer to its path.
  server.get<{ readonly Params: { readonly '*': string } }>('/answers/*', async ({ params }) => {
    const { rows } = await pool.query<{ readonly body: unknown }>({
      name: 'answer',
      text: answerText,
      values: [params['*']],
    })
    return rows[0]?.body
  })
  // Fifty of many rows, each with a part of the answer.
  server.get<{ readonly Params: { readonly place: string } }>('/rows/:place', async ({ params }) => {
    const values = [params.place]
    const { rows } = await pool.query<{ readonly body: unknown }>({ name: 'rows', text: rowsText, values })
    return rows.map(({ body }) => body)
  })
  // A write stores its answer.
  const writes = [
    ['POST', '/messages/:place', 'message', messageText],
    ['POST', '/members/:place', 'member', memberText],
  ] as const
  for (const [method, writeUrl, name, text] of writes)
    server.route<{ readonly Params: { readonly place: string }; readonly Body: Readonly<Record<string, unknown>> }>({
      method,
      url: writeUrl,
      handler: async ({ params, body }) => {
        const answer = { ...invite, ...body }
        await pool.query({ name, text, values: [params.place, JSON.stringify(answer)] })
        return answer
      },
    })
  // What was written can be read by its id, also at another process.
  server.post<{ readonly Params: { readonly channel: string }; readonly Body: Readonly<Record<string, unknown>> }>(
    '/posts/:channel',
    async ({ params, body }) => {
      const answer = { ...invite, ...body }
      const values = [params.channel, JSON.stringify(answer)]
      const { rows } = await pool.query<{ readonly id: string }>({ name: 'post', text: postText, values })
      return { ...answer, id: rows[0]?.id }
    },
  )
  server.get<{ readonly Params: { readonly channel: string; readonly id: string } }>(
    '/posts/:channel/:id',
    async ({ params }, reply) => {
      const { rows } = await pool.query<{ readonly id: string; readonly body: object }>({
        name: 'read post',
        text: readPostText,
        values: [params.id],
      })
      const [row] = rows
      return row ? { ...row.body, id: row.id } : reply.status(404).send({})
    },
  )
  server.patch<{ readonly Params: { readonly guild: string }; readonly Body: { readonly name: string } }>(
    '/names/:guild',
    async ({ params, body }) => {
      await pool.query({ name: 'name', text: nameText, values: [params.guild, body.name] })
      return { ...invite, ...body }
    },
  )

  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(url).port) }
})
