// Package job names the kinds of work and puts them into the durable queue: the
// arguments (ids and SHAs only), queues, priorities, retries, and the insertion in
// one transaction with the delivery that asked for the work.
//
// It may import store and no stage. What a job does is package worker's.
package job
