import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { openStore } from '../../process/store.ts'
import { call, getGuild, register, type Person } from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { scratch } from '../support/scratch.ts'
import { spread } from '../support/rounds.ts'
import { seedGuild, type GuildSize } from './seed-guild.ts'

/**
 * Measures what an Identify costs the process that answers it: processor time, the longest block of its event loop, and memory.
 * For an account with a few small guilds, and for one with guilds as large as given.
 *
 * node build.mjs && node dist/bench/gateway/ready-cost.js [--guilds 16] [--channels 500] [--overwrites 60] [--rounds 5]
 */
const { values } = parseArgs({
  options: {
    guilds: { type: 'string', default: '16' },
    channels: { type: 'string', default: '500' },
    overwrites: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5' },
  },
})

const ordinary: GuildSize & { readonly guilds: number } = { guilds: 5, channels: 20, overwrites: 3 }
const warmUps = 3

/** Runs inside the product: each SIGUSR2 writes what was measured since the previous one. */
const probe = (file: string): string => `
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let before = process.cpuUsage()
process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage(before)
  const measured = { cpu_ms: (user + system) / 1000, standstill_ms: delay.max / 1e6, rss_bytes: process.memoryUsage.rss() }
  delay.reset()
  before = process.cpuUsage()
  writeFileSync(${JSON.stringify(file)}, JSON.stringify(measured), { flag: 'wx' })
})`

const measured = z.object({ cpu_ms: z.number(), standstill_ms: z.number(), rss_bytes: z.number() })
type Measured = z.output<typeof measured>

async function measure(product: ProductProcess, file: string, act: () => Promise<void>): Promise<Measured> {
  await read(product, file)
  await act()
  return read(product, file)
}

async function read(product: ProductProcess, file: string): Promise<Measured> {
  rmSync(file, { force: true })
  product.signal('SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await wait(5)
  return measured.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Resolves once the client has READY and each guild that READY lists as unavailable. */
async function identify(url: string, { token }: Person): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway?v=1`, { maxPayload: 256 * 1024 * 1024 })
  let missing = Number.POSITIVE_INFINITY
  await new Promise<void>((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`The server closed with ${code}`)))
    socket.on('message', (data: Buffer) => {
      const head = data.subarray(0, 60).toString()
      if (head.includes('"op":10')) {
        const properties = { os: 'bench', browser: 'bench', device: 'bench' }
        socket.send(JSON.stringify({ op: 2, d: { token, properties } }))
      } else if (head.includes('"READY"')) missing = data.toString().split('"unavailable":true').length - 1
      else if (head.includes('"GUILD_CREATE"')) missing -= 1
      if (missing === 0) resolve()
    })
  })
  socket.removeAllListeners('close')
  socket.terminate()
}

async function main(): Promise<void> {
  const place = scratch()
  const file = path.join(place.folder, 'measured.json')
  const preload = `--import=data:text/javascript,${encodeURIComponent(probe(file))}`
  const product = await startProduct({ dataDir: place.folder, environment: { NODE_OPTIONS: preload } })
  const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
  if (!connection) throw new Error('The Postgres of the product is not to be found')
  const onError = (error: unknown): void => console.error(error)
  const store = await openStore({ connection, personalDataKey: randomBytes(32), onError })
  try {
    const large = {
      guilds: Number(values.guilds),
      channels: Number(values.channels),
      overwrites: Number(values.overwrites),
    }
    for (const [name, size] of Object.entries({ ordinary, large })) {
      const person = await call(product.url, register(`${name}_owner`))
      for (let count = 0; count < size.guilds; count += 1) {
        const id = await seedGuild(store.events, person.id, size)
        await becomesVisible(product.url, person, id)
      }
      for (let count = 0; count < warmUps; count += 1) await identify(product.url, person)
      const rounds: Measured[] = []
      const took_ms: number[] = []
      for (let count = 0; count < Number(values.rounds); count += 1) {
        await wait(500)
        const began = performance.now()
        rounds.push(await measure(product, file, () => identify(product.url, person)))
        took_ms.push(performance.now() - began)
      }
      console.log(
        `${name} (${size.guilds} guilds, ${size.channels} channels, ${size.overwrites} overwrites each): ` +
          `processor ${shown(rounds.map(({ cpu_ms }) => cpu_ms))} ms, ` +
          `longest standstill ${shown(rounds.map(({ standstill_ms }) => standstill_ms))} ms, ` +
          `all there after ${shown(took_ms)} ms, ` +
          `memory ${shown(rounds.map(({ rss_bytes }) => rss_bytes / 1024 / 1024))} MiB`,
      )
    }
  } finally {
    await store.close()
    await product.stop()
    place.remove()
  }
}

async function becomesVisible(url: string, person: Person, guild: string): Promise<void> {
  for (;;) {
    try {
      await call(url, getGuild(person, guild))
      return
    } catch (error) {
      if (!(error instanceof Error)) throw error
      await wait(100)
    }
  }
}

const shown = (numbers: readonly number[]): string => {
  const { median, min, max } = spread(numbers)
  return `${median.toFixed(1)} (${min.toFixed(1)}-${max.toFixed(1)})`
}

await main()
