// SPDX-License-Identifier: Apache-2.0

package gl

import gl "github.com/go-gl/gl/v4.5-core/gl"

// CreateTimestamps makes timestamp queries, one for each element of names.
func CreateTimestamps(names []uint32) {
	if len(names) > 0 {
		gl.CreateQueries(gl.TIMESTAMP, int32(len(names)), &names[0])
	}
}

// DeleteQueries deletes queries.
func DeleteQueries(names []uint32) {
	if len(names) > 0 {
		gl.DeleteQueries(int32(len(names)), &names[0])
	}
}

// QueryTimestamp has the GPU write its time, in nanoseconds, once all earlier commands are done.
func QueryTimestamp(query uint32) { gl.QueryCounter(query, gl.TIMESTAMP) }

// QueryAvailable asks, without waiting, whether a query's result is there; scratch is a heap address.
func QueryAvailable(query uint32, scratch *uint64) bool {
	gl.GetQueryObjectui64v(query, gl.QUERY_RESULT_AVAILABLE, scratch)
	return *scratch != 0
}

// QueryResult reads a 64-bit result into out (a heap address). It waits unless QueryAvailable was true.
func QueryResult(query uint32, out *uint64) { gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, out) }

// TimestampBits returns how many bits a timestamp has, 0 when there are no timer queries.
func TimestampBits() int {
	var bits int32
	gl.GetQueryiv(gl.TIMESTAMP, gl.QUERY_COUNTER_BITS, &bits)
	return int(bits)
}
