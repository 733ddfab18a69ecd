/**
 * `conex/kit/conformance`: the tests that every connector must pass. They run a service, so they need `conex-server`; a
 * door of their own keeps it out of what connectors import.
 */
export { conformance } from '../conformance/conformance.ts'
