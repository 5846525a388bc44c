import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { productMetrics } from '../../cli/reference/metrics.ts'

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string; readonly annotations: object }[]
  }[]
}
interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly title: string; readonly targets?: readonly Target[] }[]
}
interface Target {
  readonly expr: string
}

const rulesFile = 'deploy/prometheus-rules.yml'
const rules = (parse(readFileSync(rulesFile, 'utf8')) as Rules).groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')) as Dashboard
const asked = [
  ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ place: title, expr }))),
]
const metrics = productMetrics()

/** The names of the series that a metric has. */
function seriesOf({ name, type }: (typeof metrics)[number]): readonly string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name]
}

function namesIn(expr: string): readonly string[] {
  return expr.match(/\bguildhall_\w+/g) ?? []
}

/** The labels that an expression selects or groups by. */
function labelsIn(expr: string): readonly string[] {
  const selected = [...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label)
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
  return [...selected, ...grouped]
}

const promtool = spawnSync('promtool', ['--version']).status === 0

describe('the alert rules and the dashboard', () => {
  it('name only series that the server exposes', () => {
    const known = new Set(metrics.flatMap(seriesOf))
    expect(asked.length).toBeGreaterThan(40)
    for (const { place, expr } of asked) {
      expect([place, namesIn(expr).filter((name) => !known.has(name))]).toEqual([place, []])
      expect([place, /\b(?:guildhall|process|nodejs)_\w+/.test(expr)]).toEqual([place, true])
    }
  })

  it('use only labels that the metrics have, and those that Prometheus adds', () => {
    for (const { place, expr } of asked) {
      const own = metrics.filter((metric) => seriesOf(metric).some((name) => namesIn(expr).includes(name)))
      const known = new Set(['job', 'instance', 'le', ...own.flatMap(({ labels }) => labels)])
      expect([place, labelsIn(expr).filter((label) => !known.has(label))]).toEqual([place, []])
    }
  })

  it('show every metric on the dashboard', () => {
    const shown = new Set(dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))))
    expect(metrics.filter((metric) => !seriesOf(metric).some((name) => shown.has(name)))).toEqual([])
  })

  it('tell also of all projectors dead, where there is no series left that could be 0', () => {
    const [rule] = rules.filter(({ alert }) => alert === 'GuildhallNobodyProjects')
    expect(rule?.expr).toMatch(/\bor vector\(0\)\) == 0$/)
  })

  it('have an id for each panel, and a name and a summary for each alert, once', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    expect(rules.filter(({ annotations }) => !('summary' in annotations))).toEqual([])
  })
})

// Debian: apt-get install prometheus. Without promtool, the syntax of the expressions is not checked here.
describe.skipIf(!promtool)('promtool, where it is installed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildhall-promtool-'))
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('finds the alert rules right', () => {
    expect(execFileSync('promtool', ['check', 'rules', rulesFile], { encoding: 'utf8' })).toContain('SUCCESS')
  })

  it('finds every expression of the dashboard right', () => {
    const exprs = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const recorded = exprs.map((expr, index) => ({
      record: `dashboard:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.+'),
    }))
    const file = path.join(folder, 'dashboard.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
    expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS')
  })
})
