import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInvite } from '../../test/support/load-api.ts'
import type { LineSettings } from '../support/line.ts'
import { comparisonOf, quantile, type Comparison, type Sample } from '../support/rounds.ts'
import { openHttpSite, portOf, type HttpSite, type Job } from './http-site.ts'

const ordinary_connections = 50
const overloads_connections = [500, 1500]
const warmUp_s = 3
const look_ms = 50
const readsToWrites = 3
const wishes = { max_uses: 10, max_age: 86_400 }

/**
 * Goodput under overload beside that at 50 connections (fault matrix, F38): reads and writes, each connection with one request
 * in flight, and no pause after a refusal. During the load, health is checked over new connections.
 */
export async function overloadLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const site = await openHttpSite()
  try {
    const server = { pid: site.product.pid, port: portOf(site.product.url) }
    const requests = mixOf(site)
    const run = (connections: number, for_s = seconds): Promise<Sample> =>
      besideHealth(site, () => site.measureGoodput(server, { connections, seconds: for_s, requests }))
    await run(ordinary_connections, warmUp_s)
    const comparisons: Comparison[] = []
    for (const connections of overloads_connections) {
      const samples: { product: Sample; baseline: Sample }[] = []
      for (let round = 0; round < rounds; round += 1)
        samples.push({ baseline: await run(ordinary_connections), product: await run(connections) })
      const heading = { line: `overload, ${connections} connections`, unit: 'successes/s', target: 0.8 }
      comparisons.push({ ...comparisonOf(heading, samples), notes: samples.map(told) })
    }
    return comparisons
  } finally {
    await site.close()
  }
}

function mixOf({ guilds }: HttpSite): Job['requests'] {
  return guilds.flatMap(({ id, owner, textChannel }) => {
    const { method, path, body } = createInvite(owner, textChannel, wishes)
    const read = { method: 'GET', path: `/v1/guilds/${id}`, token: owner.token }
    const write = { method, path, token: owner.token, body: JSON.stringify(body) }
    return [...Array.from({ length: readsToWrites }, () => read), write]
  })
}

/** Adds how long health took to answer while `work` ran. */
async function besideHealth({ product }: HttpSite, work: () => Promise<Sample>): Promise<Sample> {
  const latencies: number[] = []
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const began = performance.now()
      await asked(`${product.statusUrl}/_health`)
      latencies.push(performance.now() - began)
      await sleep(look_ms)
    }
  })()
  const sample = await work().finally(() => (isOver = true))
  await looking
  const sorted = latencies.toSorted((a, b) => a - b)
  return { ...sample, details: { ...sample.details, health_p99_ms: quantile(sorted, 0.99) } }
}

/** Over a connection of its own, as supervisors do. */
function asked(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Health was answered with ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
      .once('error', reject)
      .end()
  })
}

function told({ baseline, product }: { readonly baseline: Sample; readonly product: Sample }): string {
  const of = ({ rate, details }: Sample): string =>
    `${Math.round(rate)}/s (${['p50_ms', 'p99_ms', 'refused', 'health_p99_ms'].map((name) => `${name} ${Math.round(details[name] ?? 0)}`).join(', ')})`
  return `${ordinary_connections} connections: ${of(baseline)}; overload: ${of(product)}`
}
