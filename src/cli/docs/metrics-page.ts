/** Prints the page on metrics from the table of metrics. */
import { type MetricType, metricTypes } from '../../server/metric-types.ts'

export function metricsPage(): string {
  const rows = Object.entries<MetricType>(metricTypes).map(([name, { type, help, labels, shared }]) => {
    const labelled = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${labelled} | ${help}${shared ? ' Same on every node.' : ''} |`
  })
  return `# Metrics

Printed from the table of metrics by \`npm run docs\`; edit \`src/server/metric-types.ts\` or \`src/cli/docs/metrics-page.ts\`, not this page.

\`GET /metrics\` of each node is text for Prometheus, with Node's own metrics besides. Labels never name an organization, an end user or a
connector; kinds and entities are those of the catalog. Kinds that are not loaded count together as \`unavailable\`.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
${rows.join('\n')}

Counts that are the same on every node come from the database. One node reads them for all, at most once a minute, so they can be two
minutes old; query them with \`max\`, and everything else with \`sum\`. With 100,000 connectors and 800,000 copies, reading them took half
a second in PostgreSQL and 1.1 seconds in SQLite, where writing copies waits meanwhile.

[deploy/grafana/conex.json](../deploy/grafana/conex.json) is a dashboard, and
[deploy/prometheus/alerts.yaml](../deploy/prometheus/alerts.yaml) has alert rules. Both expect the scrape job \`conex\`.
`
}
