import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { Client } from '../../gateway/support/client.js'
import { identifyOf } from '../../gateway/support/facts.js'
import {
  call,
  createGuild,
  getGuild,
  register,
  type ApiRequest,
  type FoundedGuild,
  type Person,
} from '../../support/load-api.js'
import { startProduct, type ProductProcess } from '../../support/product-process.js'
import { laidDatabase, type TestDatabase } from '../../support/test-database.js'

const withId = z.object({ id: z.string() })

/** A person with a guild. The product runs in a process of its own, and the database outlives that process. */
export interface MessageStage {
  readonly test: TestDatabase
  /** The process that runs at present. */
  readonly product: ProductProcess
  readonly author: Person
  readonly guild: FoundedGuild
  /** Kills the process with SIGKILL and starts another with additional settings. */
  restart(environment?: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

export async function openMessageStage(): Promise<MessageStage> {
  const test = await laidDatabase()
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'gh-messages-'))
  const { host = '', port, user, database } = test.connection
  const settings = {
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    PERSONAL_DATA_KEY: randomBytes(32).toString('base64'),
  }
  let product = await startProduct({ dataDir, environment: settings })
  const author = await call(product.url, register('author'))
  await startSession(product.url, author)
  const { id } = await call(product.url, createGuild(author, 'Here'))
  const guild = await call(product.url, getGuild(author, id))
  return {
    test,
    get product() {
      return product
    },
    author,
    guild,
    async restart(environment = {}) {
      await product.kill()
      product = await startProduct({ dataDir, environment: { ...settings, ...environment } })
    },
    async close() {
      await product.kill()
      await test.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts a Gateway session: an account cannot send messages before its first one. */
export async function startSession(url: string, { token }: Person): Promise<void> {
  const client = new Client(`${url.replace('http', 'ws')}/gateway?v=1`)
  await client.op(10)
  client.send(2, identifyOf({ token }))
  await client.dispatch('READY')
  client.socket.terminate()
}

export function sendMessage({ token }: Person, channel: string, content: string): ApiRequest<{ readonly id: string }> {
  return {
    method: 'POST',
    path: `/v1/channels/${channel}/messages`,
    token,
    body: { content },
    parse: (answer) => withId.parse(answer),
  }
}

export function deleteMessage({ token }: Person, channel: string, id: string): ApiRequest<void> {
  return { method: 'DELETE', path: `/v1/channels/${channel}/messages/${id}`, token, parse: () => undefined }
}

/** The ids of a channel's messages, newest first. */
export function listMessages({ token }: Person, channel: string): ApiRequest<readonly string[]> {
  return {
    method: 'GET',
    path: `/v1/channels/${channel}/messages?limit=100`,
    token,
    parse: (answer) =>
      z
        .array(withId)
        .parse(answer)
        .map(({ id }) => id),
  }
}
