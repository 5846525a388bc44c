import type { ProductProcess } from '../product-process.ts'

/** The value of a process's metric, the sum of its samples; undefined if the process does not have it. */
export async function metricOf({ url }: Pick<ProductProcess, 'url'>, name: string): Promise<number | undefined> {
  const response = await fetch(`${url}/_metrics`)
  if (response.status !== 200) throw new Error(`Metrics were answered with ${response.status}`)
  const samples = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.slice(line.lastIndexOf(' '))))
  return samples.length === 0 ? undefined : samples.reduce((sum, value) => sum + value, 0)
}

/** The projectors that project at the moment, rather than stand by. */
export async function leadersOf(projectors: readonly ProductProcess[]): Promise<readonly ProductProcess[]> {
  const leading = await Promise.all(projectors.map((projector) => metricOf(projector, 'guildhall_projector_leading')))
  return projectors.filter((_projector, index) => leading[index] === 1)
}
