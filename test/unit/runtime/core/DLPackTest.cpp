// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/core/ToyModel.h"

#include "runtime/core/DLPack.h"

namespace {

TEST(DLPack, RoundTripSharesTheData) {
  std::vector<float> data(12);
  int64_t shape[] = {2, 3}, strides[] = {1, 4};
  graphc_tensor tensor = {GRAPHC_DTYPE_F32, 2, shape, strides, data.data()};
  int released = 0;
  DLManagedTensor *managed = nullptr;
  ASSERT_EQ(graphc_tensor_to_dlpack(
                &tensor, [](void *owner) { ++*static_cast<int *>(owner); },
                &released, &managed),
            GRAPHC_OK);
  shape[0] = 99; // The shape was copied.
  EXPECT_EQ(managed->dl_tensor.ndim, 2);
  EXPECT_EQ(managed->dl_tensor.dtype.code, kDLFloat);
  EXPECT_EQ(managed->dl_tensor.dtype.bits, 32);
  graphc_tensor back = {};
  ASSERT_EQ(graphc_tensor_from_dlpack(managed, &back), GRAPHC_OK);
  EXPECT_EQ(back.dtype, GRAPHC_DTYPE_F32);
  EXPECT_EQ(back.data, data.data());
  ASSERT_EQ(back.rank, 2u);
  EXPECT_EQ(back.shape[0], 2);
  EXPECT_EQ(back.strides[1], 4);
  EXPECT_EQ(released, 0);
  managed->deleter(managed);
  EXPECT_EQ(released, 1);
}

TEST(DLPack, RowMajorStridesAreWritten) {
  Array<int64_t> array({2, 3, 4});
  graphc_tensor tensor = array.tensor();
  DLManagedTensor *managed = nullptr;
  ASSERT_EQ(graphc_tensor_to_dlpack(&tensor, nullptr, nullptr, &managed),
            GRAPHC_OK);
  EXPECT_EQ(managed->dl_tensor.strides[0], 12);
  EXPECT_EQ(managed->dl_tensor.strides[1], 4);
  EXPECT_EQ(managed->dl_tensor.strides[2], 1);
  managed->deleter(managed);
}

TEST(DLPack, ByteOffsetIsApplied) {
  std::vector<int32_t> data(4);
  int64_t shape[] = {3};
  DLManagedTensor managed = {};
  managed.dl_tensor = {data.data(), {kDLCPU, 0}, 1, {kDLInt, 32, 1},
                       shape,       nullptr,     4};
  graphc_tensor tensor = {};
  ASSERT_EQ(graphc_tensor_from_dlpack(&managed, &tensor), GRAPHC_OK);
  EXPECT_EQ(tensor.data, &data[1]);
  EXPECT_EQ(tensor.dtype, GRAPHC_DTYPE_I32);
}

TEST(DLPack, OtherMemoryAndTypesAreRefused) {
  int64_t shape[] = {3};
  DLManagedTensor managed = {};
  managed.dl_tensor = {shape, {2, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
  graphc_tensor tensor = {};
  tensor.rank = 7;
  EXPECT_EQ(graphc_tensor_from_dlpack(&managed, &tensor), GRAPHC_UNSUPPORTED);
  managed.dl_tensor.device.device_type = kDLCPU;
  managed.dl_tensor.dtype.lanes = 4;
  EXPECT_EQ(graphc_tensor_from_dlpack(&managed, &tensor), GRAPHC_UNSUPPORTED);
  managed.dl_tensor.dtype = {kDLUInt, 32, 1};
  EXPECT_EQ(graphc_tensor_from_dlpack(&managed, &tensor), GRAPHC_UNSUPPORTED);
  EXPECT_EQ(tensor.rank, 7u);
}

} // namespace
