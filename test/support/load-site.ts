import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { layPostgres } from './lay-postgres.ts'
import { loadGate } from './load-gate.ts'
import { ledger } from './load-ledger.ts'
import type { Traffic } from './load-clients.ts'
import { startProduct, type ProductProcess } from './product-process.ts'

/** A product in its own folder that is killed and restarted, with clients that survive this. */
export interface LoadSite {
  readonly dataDir: string
  readonly traffic: Traffic
  readonly product: ProductProcess
  /** Starts the product, the first time on a Postgres with empty tables; from then on clients can reach it. */
  start(): Promise<ProductProcess>
  /** Starts the product and kills it this many milliseconds later, ready or not. */
  startAndKill(after_ms: number): Promise<void>
  kill(): Promise<void>
  /** Stops it with SIGTERM: clients keep sending requests until it is gone. */
  stop(): Promise<void>
  /** Lets clients begin commands. */
  openGate(): void
  /** Lets clients finish their current commands, and resolves once each of them waits. */
  closeGate(clients: number): Promise<void>
  /** Tells the clients to end. */
  end(): void
  /** Ends the product and removes the folder. */
  remove(): Promise<void>
}

/** Makes the folder. Every user may enter it, because Postgres never runs as root. Patient clients never give up a command. */
export function loadSite({ patient = false } = {}): LoadSite {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'gh-load-'))
  chmodSync(dataDir, 0o755)
  const gate = loadGate()
  const place = placeOf()
  let product: ProductProcess | undefined

  async function start(): Promise<ProductProcess> {
    const postgres = path.join(dataDir, 'postgres')
    if (!existsSync(postgres)) await layPostgres(postgres)
    product = await startProduct({ dataDir })
    place.open(product.url)
    return product
  }

  async function kill(): Promise<void> {
    place.close()
    await product?.kill('SIGKILL')
  }

  return {
    dataDir,
    traffic: { url: place.url, mayGoOn: gate.mayGoOn, ledger: ledger(), patient },
    get product() {
      if (!product) throw new Error('The product was not started yet')
      return product
    },
    start,
    kill,
    async startAndKill(after_ms) {
      let killing: NodeJS.Timeout | undefined
      const started = startProduct({
        dataDir,
        onStarted: (signal) => {
          killing = setTimeout(() => signal('SIGKILL'), after_ms)
        },
      })
      const early = await started.catch((error: unknown) =>
        String(error).includes('before it was ready') ? undefined : Promise.reject(error),
      )
      await early?.kill('SIGKILL')
      clearTimeout(killing)
    },
    async stop() {
      await product?.stop()
      place.close()
    },
    openGate: gate.open,
    closeGate: gate.close,
    end: gate.end,
    async remove() {
      gate.end()
      await product?.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** The product's URL; clients wait while there is none. */
function placeOf() {
  let known = knownLater()
  return {
    url: () => known.url,
    open: (url: string) => known.resolve(url),
    close: () => {
      known = knownLater()
    },
  }
}

function knownLater(): { readonly url: Promise<string>; readonly resolve: (url: string) => void } {
  let resolve: (url: string) => void = () => undefined
  const url = new Promise<string>((known) => {
    resolve = known
  })
  return { url, resolve }
}
