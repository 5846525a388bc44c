import path from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createDeflateRaw } from 'node:zlib'
import type pg from 'pg'
import { z } from 'zod'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { bareRows, layMessages } from '../identity/lay-messages.ts'
import { besideReads, notesBesideReads } from '../support/beside-reads.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'

const aboveIdle_MiB_max = 128
const compressionLevel = 3

/**
 * An archive of an account with many messages, from the request until it is complete, beside a reader that pages through the same
 * rows and deflates them to nowhere. Meanwhile a member reads its guild, one request after another.
 */
export async function archiveLine({ rounds, messages }: LineSettings): Promise<Comparison> {
  const place = scratch()
  const product = await startProduct({ dataDir: place.folder }).catch((error: unknown) => {
    place.remove()
    throw error
  })
  try {
    const person = await call(product.url, register('archived'))
    const pool = await poolBeside(product)
    try {
      await layMessages(pool, person.id, messages)
      const line = `archive of ${messages.toLocaleString('en')} messages`
      const comparison = await compare({
        line,
        unit: 'messages/s',
        rounds,
        baseline: () => bare(pool, person, messages),
        product: () => archived(product, person, messages),
      })
      return withBounds(comparison)
    } finally {
      await pool.end()
    }
  } finally {
    await product.stop().finally(() => place.remove())
  }
}

async function poolBeside({ dataDir }: ProductProcess): Promise<pg.Pool> {
  const connection = await findRunningPostgres(path.join(dataDir, 'postgres'))
  if (!connection) throw new Error('The Postgres of the product is not to be found')
  return openPool(connection, 1)
}

async function bare(pool: pg.Pool, { id }: Person, messages: number): Promise<Sample> {
  const began = performance.now()
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(bareRows(pool, id), createDeflateRaw({ level: compressionLevel }), nowhere)
  const took_ms = performance.now() - began
  return { rate: (messages * 1000) / took_ms, cores: {}, details: { took_ms } }
}

const asked = z.object({ harvest_id: z.string() })
const status = z.object({ status: z.string(), file_size: z.string().nullable() })

async function archived(product: ProductProcess, person: Person, messages: number): Promise<Sample> {
  let size_bytes = 0
  const cost = await besideReads(product, person, async () => {
    size_bytes = await untilComplete(product.url, person)
  })
  return { rate: (messages * 1000) / cost.took_ms, cores: {}, details: { ...cost, size_bytes } }
}

/** Asks for the archive, and resolves with its bytes once it is complete. */
async function untilComplete(url: string, { token }: Person): Promise<number> {
  const headers = { authorization: token }
  const request = async (method: string, below: string): Promise<unknown> => {
    const answer = await fetch(`${url}/v1/users/@me/harvest${below}`, { method, headers })
    if (!answer.ok) throw new Error(`The archive was answered with ${answer.status}`)
    return answer.json()
  }
  const { harvest_id: id } = asked.parse(await request('POST', ''))
  for (;;) {
    const now = status.parse(await request('GET', `/${id}`))
    if (now.status === 'failed') throw new Error('The archive failed')
    if (now.status === 'completed') return Number(now.file_size)
    await pause(100)
  }
}

function withBounds(comparison: Comparison): Comparison {
  const most = (name: string): number =>
    Math.max(...comparison.samples.map(({ product }) => product.details[name] ?? Number.NaN))
  return {
    ...comparison,
    notes: [
      ...notesBesideReads(comparison, aboveIdle_MiB_max),
      `${(most('size_bytes') / 1024 / 1024).toFixed(1)} MiB of ZIP, ${(most('took_ms') / 1000).toFixed(1)} s at most`,
    ],
  }
}
