import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '../../process/store.ts'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { sendMessage } from '../../test/faults/commands/message-stage.ts'
import {
  acceptInvite,
  call,
  createGuild,
  createInvite,
  getGuild,
  leaveGuild,
  register,
  type Person,
} from '../../test/support/load-api.ts'
import { startProduct } from '../../test/support/product-process.ts'
import { identify, openReadySession } from '../gateway/ready-session.ts'
import { portOf } from '../lines/http-site.ts'
import { scratch } from '../support/scratch.ts'
import { seedCrowd } from './seed-crowd.ts'

/** Things that can be done in a guild, each once. */
export interface Community {
  /** Resolves with the answer. */
  send(): Promise<unknown>
  /** Resolves once a session has the message. */
  sendAndHear(): Promise<unknown>
  join(): Promise<unknown>
  leave(): Promise<unknown>
  /** Renames the guild. */
  modify(): Promise<unknown>
}

export interface CommunitySite {
  /** Makes a guild with this many members, one of them with a session. */
  found(name: string, members_count: number): Promise<Community>
  close(): Promise<void>
}

const visible_ms_max = 120_000
const messageMark = Buffer.from('"t":"MESSAGE_CREATE"')

/** Starts a product. Communities are created over HTTP, and their crowds are added by events. */
export async function openCommunitySite(): Promise<CommunitySite> {
  const place = scratch()
  const closing: (() => Promise<unknown>)[] = [async () => place.remove()]
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step()
  }
  try {
    const product = await startProduct({ dataDir: place.folder })
    closing.push(() => product.stop())
    const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
    if (!connection) throw new Error('The Postgres of the product is not to be found')
    const onError = (error: unknown): void => console.error(error)
    const store = await openStore({ connection, personalDataKey: new Uint8Array(32), onError })
    closing.push(() => store.close())
    return {
      close,
      async found(name, members_count) {
        const owner = await call(product.url, register(`${name}_owner`))
        const guest = await call(product.url, register(`${name}_guest`))
        const { id } = await call(product.url, createGuild(owner, name))
        await seedCrowd(store.events, id, members_count - 1)
        await counted(store.database.pool, id, members_count)
        const { textChannel } = await call(product.url, getGuild(owner, id))
        const { code } = await call(product.url, createInvite(owner, textChannel, { max_uses: 0, max_age: 0 }))
        const session = await listen(product.url, owner, id)
        closing.push(async () => session.close())
        return community(product.url, { owner, guest, id, textChannel, code }, session)
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until the read models count this many members. */
export async function counted(
  pool: Awaited<ReturnType<typeof openStore>>['database']['pool'],
  guild: string,
  members_count: number,
): Promise<void> {
  const deadline = performance.now() + visible_ms_max
  for (;;) {
    const { rows } = await pool.query<{ member_count: number }>(
      'select member_count from members.member_counts where guild_id = $1',
      [guild],
    )
    if ((rows[0]?.member_count ?? 0) >= members_count) return
    if (performance.now() > deadline) throw new Error('The members did not become visible in time')
    await wait(100)
  }
}

interface Listener {
  /** Resolves at the next message. */
  next(): Promise<unknown>
  close(): void
}

async function listen(url: string, { token }: Person, guild: string): Promise<Listener> {
  let wake: () => void = () => undefined
  const { session } = await openReadySession({ port: portOf(url) }, identify(token, guild), (payload) => {
    if (payload.includes(messageMark)) wake()
  })
  return {
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
    close: () => session.close(),
  }
}

interface Founded {
  readonly owner: Person
  readonly guest: Person
  readonly id: string
  readonly textChannel: string
  readonly code: string
}

function community(url: string, { owner, guest, id, textChannel, code }: Founded, session: Listener): Community {
  let names = 0
  const send = () => call(url, sendMessage(owner, textChannel, 'Hello there'))
  return {
    send,
    async sendAndHear() {
      const heard = session.next()
      await Promise.all([send(), heard])
    },
    join: () => call(url, acceptInvite(guest, code)),
    leave: () => call(url, leaveGuild(guest, id)),
    modify: () => {
      names += 1
      return call(url, {
        method: 'PATCH',
        path: `/v1/guilds/${id}`,
        token: owner.token,
        body: { name: `Name ${names}` },
        parse: (answer: unknown) => answer,
      })
    },
  }
}
