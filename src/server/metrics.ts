/** Metrics for Prometheus. Labels name routes and statuses, never tenants. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** Counts an answered request: the route as declared, and the duration. */
  answered(method: string, route: string, status: number, milliseconds: number): void
  readonly contentType: string
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'conex_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  return {
    answered(method, route, status, milliseconds) {
      requests.observe({ method, route, status }, milliseconds / 1000)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
