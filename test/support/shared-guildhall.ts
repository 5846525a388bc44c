import { keptInWorker } from './left-behind.js'
import { startTestGuildhall, type TestGuildhall } from './test-guildhall.js'

let shared: Promise<TestGuildhall> | undefined

/**
 * The one server of this worker, for all files that need no settings of their own. Accounts and guilds are drawn at random, so
 * its files do not interfere. They must not change what applies to the whole instance (its policy, limits, lists). It ends with
 * the worker.
 */
export function sharedGuildhall(): Promise<TestGuildhall> {
  return (shared ??= keptInWorker(start))
}

async function start(): Promise<TestGuildhall> {
  const guildhall = await startTestGuildhall()
  const close = () => Promise.reject(new Error('Other files use the shared server too'))
  return { ...guildhall, ports: guildhall.ports, close }
}
