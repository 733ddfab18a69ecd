/** The dashboard and the alert rules: their queries parse, and ask for what a running server exports. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { type Fixture, startFixture } from '../src/server/fixture.suite.ts'
import { type MetricType, metricTypes } from '../src/server/metric-types.ts'

const file = (...path: string[]): string => readFileSync(join(import.meta.dirname, '..', 'deploy', ...path), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

interface Panel {
  readonly title: string
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const rules = (parse(file('prometheus', 'alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const { panels } = JSON.parse(file('grafana', 'conex.json')) as { panels: Panel[] }

/** What Prometheus itself adds. */
const addedLabels = ['job', 'instance', 'le']

/** The metrics and labels that a query names; throws where it does not parse. */
function namesIn(query: string) {
  const names = { metrics: [] as string[], labels: [] as string[] }
  parser.parse(query).iterate({
    enter(node) {
      const text = query.slice(node.from, node.to)
      if (node.type.isError) throw new Error(`PromQL does not parse at ${node.from}: ${query}`)
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') names.metrics.push(text)
      if (node.name === 'LabelName') names.labels.push(text)
    },
  })
  return names
}

/** The metric without what a histogram adds to its name. */
const familyOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '')

describe('what Conex brings for operators', () => {
  let fixture: Fixture
  let exported: ReadonlySet<string>
  before(async () => {
    fixture = await startFixture()
    const { text } = await fixture.call('GET', '/metrics')
    exported = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name!))
  })
  after(() => fixture.close())

  const check = (query: string, shown: string): void => {
    const { metrics, labels } = namesIn(query)
    assert.ok(metrics.length > 0, query)
    const known = new Set(addedLabels)
    for (const metric of metrics) {
      const name = exported.has(metric) ? metric : familyOf(metric)
      assert.ok(metric === 'up' || exported.has(name), `No server exports ${metric}.`)
      const type: MetricType | undefined = metricTypes[name as keyof typeof metricTypes]
      for (const label of type?.labels ?? []) known.add(label)
    }
    const used = [
      ...labels,
      ...Array.from(shown.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g), ([, label]) => label!),
    ]
    assert.deepEqual(
      used.filter((label) => !known.has(label)),
      [],
      query,
    )
  }

  it('reads queries as Prometheus does', () => {
    assert.deepEqual(namesIn('sum by (kind) (rate(a_total{status="1"}[5m]))'), {
      metrics: ['a_total'],
      labels: ['kind', 'status'],
    })
    assert.throws(() => namesIn('sum by (kind (rate(a[5m]))'), /does not parse/)
    assert.throws(() => check('sum(conex_nothing)', ''), /No server exports/)
    assert.throws(() => check('sum by (organization) (conex_connectors)', ''), /organization/)
  })

  it('exports every metric of the table', () => {
    assert.deepEqual(
      Object.keys(metricTypes).filter((name) => !exported.has(name)),
      [],
    )
  })

  it('alerts only on what is exported, and says what is wrong', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    for (const { expr, for: lasting, labels, annotations } of rules) {
      check(expr, annotations.summary)
      assert.match(lasting, /^\d+m$/)
      assert.match(labels.severity, /^(warning|critical)$/)
      assert.match(annotations.summary, /^[A-Z].*\.$/)
    }
  })

  it('shows every metric of the table in a panel, and nothing else', () => {
    for (const { targets } of panels) for (const { expr, legendFormat } of targets) check(expr, legendFormat)
    const shown = new Set(
      panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr).metrics.map(familyOf))),
    )
    const unseen = Object.keys(metricTypes).filter((name) => !shown.has(name))
    assert.deepEqual(unseen, ['conex_overview_timestamp_seconds'])
  })

  it('lays panels out side by side', () => {
    const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
    assert.equal(new Set(places).size, panels.length)
    assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24))
  })
})
